import { type AssertionOutcome, evaluateAssertions } from '#shared/assertions/evaluate.ts';
import { BEYOND_A_CUT, type Show } from '#shared/assertions/text.ts';
import type { RunFailure, RunResult } from '#shared/runs/protocol.ts';
import type { ScriptRunner } from '#shared/sandbox/script.ts';
import { Mask, REDACTED } from '../masking/mask.ts';
import type { SecretForms } from '../masking/secret-forms.ts';
import { SECRET_HEADERS } from '../masking/secret-headers.ts';
import { buildResult } from '../net/build-result.ts';
import { Deadline } from '../net/deadline.ts';
import { JobLog } from '../net/job-log.ts';
import type { Network } from '../net/network.ts';
import { bodyText } from './body-text.ts';
import { decodeBody } from './decode-body.ts';
import { apiCheckResult } from './detail.ts';
import type { HttpFindings, HttpRun } from './findings.ts';
import { type Followed, follow } from './follow.ts';
import { type KeepBytes, KeptBody } from './kept-body.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { HttpRequest } from './request.ts';
import { MAX_BODY_BYTES } from './response-reader.ts';
import { secretFields, secretsOfRun } from './run-secrets.ts';
import { scriptFailure } from './script-phase.ts';
import { ENOUGH_TO_STORE_BYTES } from './stored-body.ts';
import { hasTeardown, type TornDown, tearDown } from './teardown.ts';
import { NO_PHASES, roundPhases } from './timings.ts';

/** What runs over HTTP stand on. */
export interface HttpParts {
  network: Network;
  /** Null for a type of check that has none. */
  scripts: ScriptRunner | null;
  /** Forms of secrets, kept from run to run. */
  forms: SecretForms;
}

/**
 * Prepares, asks, follows, decodes, tears down, asserts and judges: a run of an API or URL check
 * from end to end. The time of scripts counts against the run's limit, not as response time.
 */
export async function runHttp(run: HttpRun, parts: HttpParts): Promise<RunResult> {
  const startedAt = Date.now();
  const started = performance.now();
  const prepared = await prepare(run, parts.scripts, started + run.request.timeoutMs);
  const log = new JobLog();
  for (const warning of prepared.templates.warnings) log.add('WARN', warning);
  const { built } = prepared;
  const findings = built.failure
    ? notSent(prepared, built.failure, parts.forms, log)
    : await find(prepared, built.request, parts, log, started);
  if (findings.failure) log.add('ERROR', findings.failure.message);
  return conclude(prepared, findings, startedAt);
}

function notSent(
  prepared: Prepared,
  failure: RunFailure,
  forms: SecretForms,
  log: JobLog,
): HttpFindings {
  return {
    ...NOTHING_READ,
    sent: null,
    url: null,
    response: null,
    failure,
    phases: NO_PHASES,
    stalledMs: 0,
    certificate: null,
    connection: null,
    log,
    teardownLog: notTornDown(prepared),
    mask: new Mask(secretsOfRun(prepared, null), forms),
  };
}

/** The log of teardown of a run without a response: scripts that read it would only fail. */
function notTornDown(prepared: Prepared): JobLog {
  const log = new JobLog();
  if (hasTeardown(prepared)) {
    log.add('WARN', 'The teardown scripts did not run, because there was no response');
  }
  return log;
}

const NOTHING_READ = {
  body: Buffer.alloc(0),
  bodyType: undefined,
  outcomes: [],
  teardownErrors: [],
  isResponseUnread: false,
};

async function find(
  prepared: Prepared,
  sent: HttpRequest,
  parts: HttpParts,
  log: JobLog,
  started: number,
): Promise<HttpFindings> {
  const { request, ask } = prepared.run;
  // What setup took is neither waiting nor left for the request; without it, templates are ours.
  const from = prepared.setupLog.isEmpty ? started : performance.now();
  const deadline = new Deadline(Math.ceil(Math.max(1, request.timeoutMs - (from - started))));
  const { network } = parts;
  const kept = new KeptBody(network.bodies);
  try {
    const options = {
      family: ask.ipFamily,
      verify: !ask.skipSSL,
      followRedirects: ask.followRedirects,
      isSecret: secretFields(prepared, (it) => new Mask(it, parts.forms)),
      body: { kept, keepBytes: keepBytesFor(prepared) },
      log,
    };
    const context = { network, deadline, deniedRanges: request.deniedRanges };
    const { result, stalledMs } = await network.stalls.during(() =>
      follow(sent, options, context, from),
    );
    return await inspect(prepared, sent, { ...result, stalledMs }, parts, log);
  } finally {
    kept.release();
    deadline.close();
  }
}

async function inspect(
  prepared: Prepared,
  sent: HttpRequest,
  followed: Followed & Pick<HttpFindings, 'stalledMs'>,
  { network, forms }: HttpParts,
  log: JobLog,
): Promise<HttpFindings> {
  const { response, phases } = followed;
  const base = { ...NOTHING_READ, ...followed, sent, log };
  const masked = (envs?: TornDown['envs']) => new Mask(secretsOfRun(prepared, sent, envs), forms);
  const unread = () => ({ teardownLog: notTornDown(prepared), mask: masked() });
  if (!response) return { ...base, ...unread() };
  log.add('INFO', `${response.status} ${response.statusText}, ${response.bodyBytes} bytes`);
  const decoded = await decodeBody(response, network.decoders);
  if (decoded.failure) return { ...base, response: null, failure: decoded.failure, ...unread() };
  const bodyType = response.headers['content-type'];
  const read = { response, body: decoded.bytes, bodyType };
  const after = await tearDown(prepared, sent, read, roundPhases(phases));
  const mask = masked(after.envs);
  // Judged on what no script has seen, a target could be blamed for our own trouble.
  const broken = after.errors.find(({ kind }) => kind === 'host');
  return {
    ...base,
    response: after.response,
    failure: broken ? scriptFailure(broken) : null,
    body: after.body,
    bodyType: after.bodyType,
    teardownLog: after.log,
    teardownErrors: after.errors,
    isResponseUnread: after.isResponseUnread,
    outcomes: assert(prepared, after, roundPhases(phases).total, mask),
    mask,
  };
}

/** The assertions of the check, the templates in their targets filled in, on a response. */
function assert(
  { run, templates }: Prepared,
  { response, body, bodyType, env, isResponseUnread }: TornDown,
  responseTime: number,
  mask: Mask,
): readonly AssertionOutcome[] {
  const { check } = run.request;
  templates.variables = { REQUEST_URL: run.ask.url, ...env };
  const assertions = check.request.assertions.map((assertion) => ({
    ...assertion,
    target: assertion.target && templates.fill(assertion.target, 'a target').slice(0, MAX_TARGET),
  }));
  const facts = {
    statusCode: response.status,
    headers: response.headers,
    body: readsBody(assertions) ? bodyText(body, bodyType) : '',
    responseTime,
  };
  const show: Show = (text, maxChars) => mask.start(text, maxChars);
  const outcomes = evaluateAssertions<'API' | 'URL'>(check.checkType, assertions, facts, show);
  const shown = outcomes.map((outcome) => ({
    ...outcome,
    target: outcome.target && mask.start(outcome.target, MAX_SHOWN_TARGET),
  }));
  return redactOutcomes(shown, isResponseUnread);
}

/** Characters of a target, as the schema bounds one without templates. */
const MAX_TARGET = 64_000;
/** Of a target in a result: what lies across this cut is still there to be looked at. */
const MAX_SHOWN_TARGET = MAX_TARGET - BEYOND_A_CUT;

/**
 * A body is needed whole where an assertion or a script looks at it or a coding has to be taken off;
 * otherwise no more of it than the result will keep.
 */
function keepBytesFor(prepared: Prepared): KeepBytes {
  const { request, keepContent } = prepared.run;
  if (!keepContent) return () => 0;
  const isReadWhole = readsBody(request.check.request.assertions) || hasTeardown(prepared);
  const enough = isReadWhole ? MAX_BODY_BYTES : ENOUGH_TO_STORE_BYTES;
  return ({ headers }) => (headers['content-encoding'] === undefined ? enough : MAX_BODY_BYTES);
}

/** Text is made of a whole body only where an assertion looks at it. */
function readsBody(assertions: readonly { source: string }[]): boolean {
  return assertions.some(({ source }) => source === 'JSON_BODY' || source === 'TEXT_BODY');
}

function conclude(prepared: Prepared, findings: HttpFindings, startedAt: number): RunResult {
  const { mask } = findings;
  const phases = roundPhases(findings.phases);
  return buildResult({
    request: prepared.original.request,
    startedAt,
    responseTime: phases.total,
    stalledMs: findings.stalledMs,
    failure: findings.failure,
    outcomes: findings.outcomes,
    statusCode: findings.response?.status ?? null,
    metrics: phases,
    certificate: findings.certificate,
    detail: { apiCheckResult: apiCheckResult(prepared, findings, phases) },
    mask,
  });
}

/**
 * Outcomes of assertions without the values that they saw of secret headers, or of all headers and
 * the body where the whole response is secret.
 */
function redactOutcomes(
  outcomes: readonly AssertionOutcome[],
  isResponseSecret: boolean,
): readonly AssertionOutcome[] {
  return outcomes.map((outcome) => {
    const isHeader = outcome.source === 'HEADERS';
    const isSecret = isResponseSecret
      ? isHeader || BODY_SOURCES.has(outcome.source)
      : isHeader && SECRET_HEADERS.has((outcome.property ?? '').trim().toLowerCase());
    if (!isSecret) return outcome;
    const what = isHeader ? `header ${outcome.property}` : 'body';
    const error = outcome.error && `The value of the ${what} is not as asserted`;
    return { ...outcome, error, actual: outcome.actual === null ? null : REDACTED };
  });
}

const BODY_SOURCES: ReadonlySet<string> = new Set(['JSON_BODY', 'TEXT_BODY']);

import { evaluateAssertions } from '#shared/rules/assertion/evaluate.ts';
import type { RunFailure, RunResult } from '#shared/run/protocol.ts';
import { finish } from '../finish.ts';
import { Deadline } from '../net/deadline.ts';
import { JobLog } from '../net/job-log.ts';
import type { Network } from '../net/network.ts';
import type { RunRequestOf } from '../runner.ts';
import { bodyText } from './body-text.ts';
import { decodeBody } from './decode-body.ts';
import { apiCheckResult } from './detail.ts';
import type { HttpFindings, HttpRun } from './findings.ts';
import { type Followed, follow } from './follow.ts';
import { type KeepBytes, KeptBody } from './kept-body.ts';
import { createScrubber, redactOutcomes, scrubTexts, secretsOf } from './redact.ts';
import { buildRequest, type HttpRequest } from './request.ts';
import { MAX_BODY_BYTES } from './response-reader.ts';
import { ENOUGH_TO_STORE_BYTES } from './stored-body.ts';
import { NO_PHASES, roundPhases } from './timings.ts';

/** Asks, follows, decodes, asserts and judges: a run of an API or URL check from end to end. */
export async function runHttp(run: HttpRun, network: Network): Promise<RunResult> {
  const startedAt = Date.now();
  const from = performance.now();
  const log = new JobLog();
  const built = buildRequest(run.ask);
  const findings = built.failure
    ? notSent(built.failure, log)
    : await find(run, built.request, network, log, from);
  if (findings.failure) log.add('ERROR', findings.failure.message);
  return conclude(run, findings, startedAt);
}

function notSent(failure: RunFailure, log: JobLog): HttpFindings {
  return {
    sent: null,
    url: null,
    response: null,
    failure,
    phases: NO_PHASES,
    body: NO_BYTES,
    outcomes: [],
    log,
  };
}

const NO_BYTES = Buffer.alloc(0);

async function find(
  run: HttpRun,
  sent: HttpRequest,
  network: Network,
  log: JobLog,
  from: number,
): Promise<HttpFindings> {
  const { request, ask } = run;
  const deadline = new Deadline(request.timeoutMs);
  const kept = new KeptBody(network.bodies);
  try {
    const options = {
      family: ask.ipFamily,
      verify: !ask.skipSSL,
      followRedirects: ask.followRedirects,
      body: { kept, keepBytes: keepBytesFor(run) },
      log,
    };
    const context = { network, deadline, deniedRanges: request.deniedRanges };
    const followed = await follow(sent, options, context, from);
    return await inspect(request, sent, followed, network, log);
  } finally {
    kept.release();
    deadline.close();
  }
}

async function inspect(
  { check }: RunRequestOf<'API' | 'URL'>,
  sent: HttpRequest,
  followed: Followed,
  network: Network,
  log: JobLog,
): Promise<HttpFindings> {
  const { response, phases } = followed;
  const base = { ...followed, sent, log, body: NO_BYTES, outcomes: [] };
  if (!response) return base;
  log.add('INFO', `${response.status} ${response.statusText}, ${response.bodyBytes} bytes`);
  const decoded = await decodeBody(response, network.decoders);
  if (decoded.failure) return { ...base, response: null, failure: decoded.failure };
  const body = decoded.bytes;
  const { assertions } = check.request;
  const outcomes = evaluateAssertions<'API' | 'URL'>(check.checkType, assertions, {
    statusCode: response.status,
    headers: response.headers,
    body: readsBody(assertions) ? bodyText(body, response.headers['content-type']) : '',
    responseTime: roundPhases(phases).total,
  });
  return { ...base, body, outcomes: redactOutcomes(outcomes) };
}

/**
 * A body is needed whole where an assertion looks at it or a coding has to be taken off; otherwise
 * no more of it than the result will keep.
 */
function keepBytesFor({ request, keepContent }: HttpRun): KeepBytes {
  if (!keepContent) return () => 0;
  const enough = readsBody(request.check.request.assertions)
    ? MAX_BODY_BYTES
    : ENOUGH_TO_STORE_BYTES;
  return ({ headers }) => (headers['content-encoding'] === undefined ? enough : MAX_BODY_BYTES);
}

/** Text is made of a whole body only where an assertion looks at it. */
function readsBody(assertions: readonly { source: string }[]): boolean {
  return assertions.some(({ source }) => source === 'JSON_BODY' || source === 'TEXT_BODY');
}

function conclude(run: HttpRun, findings: HttpFindings, startedAt: number): RunResult {
  const phases = roundPhases(findings.phases);
  const scrub = createScrubber(secretsOf(run.ask, findings.sent));
  const detail = { apiCheckResult: apiCheckResult(run, findings, phases) };
  return finish({
    request: run.request,
    startedAt,
    responseTime: phases.total,
    failure: findings.failure,
    outcomes: findings.outcomes,
    statusCode: findings.response?.status ?? null,
    metrics: phases,
    detail: scrub ? (scrubTexts(detail, scrub) as typeof detail) : detail,
    ...(scrub && { scrub }),
  });
}

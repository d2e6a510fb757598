import { type SuiteEnd, suiteDegraded, suiteErrors } from '#shared/playwright/suite-verdict.ts';
import { failureMessage, type ScriptError } from '#shared/playwright/verdict.ts';
import { internalFailure } from '#shared/runs/internal-failure.ts';
import { INTERNAL_CAUSES, type RunFailure, type RunResult } from '#shared/runs/protocol.ts';
import { MAX_MESSAGE_CHARS, Mask } from '../../masking/mask.ts';
import type { SecretForms } from '../../masking/secret-forms.ts';
import type { Runner, RunRequestOf } from '../../net/runner.ts';
import { ArtifactWriter } from '../artifact-writer.ts';
import type { Place } from '../cage/cages.ts';
import { NO_CHROMIUM } from '../chromium/chromium-finder.ts';
import { suiteDetail } from './suite-detail.ts';
import { keepSuiteFiles } from './suite-files.ts';
import { type RanSuite, runSuite, type SuiteParts } from './suite-run.ts';
import { SuiteTurns } from './suite-turns.ts';

/** What the runner of suites stands on. */
export interface SuiteRunnerParts extends SuiteParts {
  /** Forms of secrets, kept from run to run. */
  forms: SecretForms;
}

type SuiteRequest = RunRequestOf<'PLAYWRIGHT'>;

const WRONG_THREAD = 'This thread runs no suites';
/** How long a suite waits for others; so much less time it has for itself. */
const LONGEST_WAIT_MS = 10 * 60_000;
/** Of a run that nobody can cancel. */
const NEVER = new AbortController().signal;
const TOO_LONG = `The run did not begin within ${LONGEST_WAIT_MS / 60_000} minutes: other suites were under way. A higher WATCHPOST_BROWSERS lets more run at once.`;

/**
 * Makes the runner of Playwright checks: a whole project with its own configuration, command and packages.
 *
 * @param parts null in a thread that runs no browsers
 */
export function createPlaywrightRunner(parts: SuiteRunnerParts | null): Runner<'PLAYWRIGHT'> {
  if (parts === null) {
    return async (request) => internalFailure(request, Date.now(), 'INTERNAL', WRONG_THREAD);
  }
  // A suite takes minutes: one place is always left for the scripts of other checks.
  const turns = new SuiteTurns(Math.max(1, parts.data.browsersAtOnce - 1), LONGEST_WAIT_MS);
  return async (request, signal = NEVER) => {
    const result = await turns.use(signal, (waitedMs) => inTurn(request, parts, signal, waitedMs));
    if (signal.aborted) return cancelled(request, result);
    return result ?? internalFailure(request, Date.now(), 'INTERNAL', TOO_LONG);
  };
}

async function inTurn(
  request: SuiteRequest,
  parts: SuiteRunnerParts,
  signal: AbortSignal,
  turnMs: number,
): Promise<RunResult> {
  const outcome = await parts.cages.use(({ folder, waitedMs }) =>
    runIn({ folder, waitedMs: waitedMs + turnMs }, request, parts, signal),
  );
  if (!('refused' in outcome)) return outcome;
  const { cause, message } = outcome.refused;
  return internalFailure(request, Date.now(), cause, message);
}

async function runIn(
  { folder, waitedMs }: Place,
  request: SuiteRequest,
  parts: SuiteRunnerParts,
  signal: AbortSignal,
): Promise<RunResult> {
  const { check, scope, timeoutMs, installsAnew = false } = request;
  const ran = await runSuite(parts, {
    check,
    folder,
    env: { ...scope?.variables, ...scope?.builtIns },
    runtimeId: scope?.runtimeId ?? '',
    installsAnew,
    timeoutMs: timeoutMs - waitedMs,
    signal,
  });
  const mask = new Mask({ values: request.secrets ?? [] }, parts.forms);
  const writer = new ArtifactWriter(parts.data.artifactsFolder);
  const left = { folder, reports: ran.reports, record: ran.record, log: ran.log.lines };
  const files = await keepSuiteFiles(left, writer, mask);
  addOwnLines(ran, parts, writer.problems);
  const errors = errorsOf(ran);
  const failure = failureOf(ran, errors);
  const isOurs = failure !== null && INTERNAL_CAUSES.includes(failure.cause);
  const stoppedAt = ran.startedAt + Math.round(ran.durationMs);
  const { record, startedAt, installMs, log } = ran;
  const found = { record, errors, startedAt, stoppedAt, waitedMs, installMs, files };
  const show = (text: string, maxChars: number) => mask.start(text, maxChars);
  const detail = suiteDetail({ ...found, log: log.lines }, show);
  return {
    runId: request.runId,
    startedAt,
    stoppedAt,
    responseTime: ran.durationMs,
    hasFailures: failure !== null && !isOurs,
    hasErrors: isOurs,
    isDegraded: failure === null && suiteDegraded(record).length > 0,
    overMaxResponseTime: false,
    failure: failure && {
      cause: failure.cause,
      message: mask.start(failure.message, MAX_MESSAGE_CHARS),
    },
    metrics: {},
    statusCode: null,
    detail: JSON.stringify({ playwrightCheckResult: detail }),
    artifacts: writer.artifacts,
  };
}

/** Of a run that was broken off it is not known what it would have found. */
function errorsOf({ failure, record, end }: RanSuite): ScriptError[] {
  if (failure === null) return suiteErrors(record, end);
  const found = record.hasPlan && record.total > 0 ? suiteErrors(record, KILLED) : [];
  return [{ test: null, error: { message: failure.message } }, ...found];
}

/** A command that did not end by itself, and so says nothing by how it ended. */
const KILLED: SuiteEnd = { code: 0, words: '', wanted: [], channels: [], here: '' };

function failureOf({ failure, end }: RanSuite, errors: readonly ScriptError[]): RunFailure | null {
  if (failure !== null) return failure;
  // Without it no test could say anything of its target.
  if (end.wanted.includes('chromium')) return { cause: 'UNSUPPORTED', message: NO_CHROMIUM };
  const message = failureMessage(errors);
  return message === null ? null : { cause: 'SCRIPT', message };
}

const OPEN =
  'The project could read what Watchpost can: bubblewrap (bwrap), which closes it in, is not there';

function addOwnLines(
  { log, durationMs, record }: RanSuite,
  { cages }: SuiteRunnerParts,
  problems: readonly string[],
): void {
  if (!cages.areClosed) log.note('WARN', OPEN);
  for (const reason of suiteDegraded(record)) {
    log.note('WARN', `Marked as degraded: ${reason || 'without a reason'}`);
  }
  for (const problem of problems) log.note('WARN', problem);
  log.note('DEBUG', `The run took ${Math.round(durationMs)} ms`);
}

/** Whatever a run found until it was cancelled: it says nothing of its target. */
function cancelled(request: SuiteRequest, result: RunResult | null): RunResult {
  const none = internalFailure(request, Date.now(), 'CANCELLED', CANCELLED);
  if (result === null) return none;
  const { failure, hasErrors, hasFailures } = none;
  return { ...result, failure, hasErrors, hasFailures };
}

const CANCELLED = 'The run was cancelled.';

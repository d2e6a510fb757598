import { MAX_MEASURED_PAGES } from '#shared/checks/enums.ts';
import type { ScriptFiles } from '#shared/checks/script-files.ts';
import type { LogLine } from '#shared/playwright/detail.ts';
import type { ScriptRecord } from '#shared/playwright/script-record.ts';
import { degradedReasons, failureMessage, scriptErrors } from '#shared/playwright/verdict.ts';
import {
  INTERNAL_CAUSES,
  type RunFailure,
  type RunMetrics,
  type RunResult,
} from '#shared/runs/protocol.ts';
import { MAX_MESSAGE_CHARS, type Mask } from '../masking/mask.ts';
import type { RunRequestOf } from '../net/runner.ts';
import type { ArtifactWriter } from './artifact-writer.ts';
import type { LeftFiles } from './left-files.ts';
import { DetailWriter } from './script-detail.ts';
import type { RanScript } from './script-run.ts';

type ScriptedType = 'BROWSER' | 'MULTI_STEP';
export type ScriptedRequest = { [T in ScriptedType]: RunRequestOf<T> }[ScriptedType];

/** What is known of a run that is over. */
export interface RunOutcome {
  ran: RanScript;
  left: LeftFiles;
  files: ScriptFiles;
  waitedMs: number;
  /** Runs that the browser that it was lent, and the process, served before it. */
  served: Readonly<Record<'browser' | 'process', number>>;
  /** Whether nothing kept the script from what Watchpost can read. */
  isOpen: boolean;
}

/** The result of a run as it leaves the runner: judged, masked and bounded. */
export function scriptedResult(
  request: ScriptedRequest,
  outcome: RunOutcome,
  writer: ArtifactWriter,
  mask: Mask,
): RunResult {
  const { runId, check } = request;
  const { record, startedAt, durationMs, failure: broken } = outcome.ran;
  const failure = broken ?? failureOf(record);
  const isOurs = failure !== null && INTERNAL_CAUSES.includes(failure.cause);
  const stoppedAt = startedAt + Math.round(durationMs);
  const runtimeVersion = request.scope?.runtimeId ?? '';
  const log = [
    ...outcome.ran.log,
    ...ownLines(outcome, stoppedAt, runtimeVersion, writer.problems),
  ];
  const details = new DetailWriter(
    {
      ...outcome.left,
      ...{ record, startedAt, stoppedAt, runtimeVersion, log, waitedMs: outcome.waitedMs },
      brokenOff: broken?.message ?? null,
      sources: outcome.files.texts,
    },
    (text, maxChars) => mask.start(text, maxChars),
  );
  const isBrowser = check.checkType === 'BROWSER';
  const detail = isBrowser
    ? { browserCheckResult: details.browser() }
    : { multiStepCheckResult: details.multiStep() };
  return {
    ...{ runId, startedAt, stoppedAt, responseTime: durationMs },
    hasFailures: failure !== null && !isOurs,
    hasErrors: isOurs,
    isDegraded: failure === null && degradedReasons(record).length > 0,
    overMaxResponseTime: false,
    failure: failure && { ...failure, message: mask.start(failure.message, MAX_MESSAGE_CHARS) },
    ...(isBrowser ? measured(record) : { metrics: {} }),
    statusCode: null,
    detail: JSON.stringify(detail),
    artifacts: writer.artifacts,
  };
}

function failureOf(record: ScriptRecord): RunFailure | null {
  const message = failureMessage(scriptErrors(record));
  return message === null ? null : { cause: 'SCRIPT', message };
}

/** The web vitals of the first page are those of the run. */
function measured({ pages, summary }: ScriptRecord): Pick<RunResult, 'metrics' | 'laterPages'> {
  const [first, ...others] = pages.slice(0, MAX_MEASURED_PAGES).map(({ vitals }) => vitals);
  return { metrics: { ...first, ...summary } as RunMetrics, laterPages: others as RunMetrics[] };
}

const OPEN =
  'The script could read what Watchpost can: bubblewrap (bwrap), which closes it in, is not there';

const servedBefore = (what: string, runs: number): string =>
  `${what} ran already: it served ${runs} ${runs === 1 ? 'run' : 'runs'} before`;

/** Lines of the log in words of the monitor's own. */
function ownLines(
  { ran, isOpen, served }: RunOutcome,
  stoppedAt: number,
  runtimeVersion: string,
  problems: readonly string[],
): LogLine[] {
  const { startedAt, durationMs, record } = ran;
  const line = (time: number, level: LogLine['level'], msg: string) => ({ time, level, msg });
  const isLent = served.browser > 0 && record.launches.some((launch) => launch.isLent);
  const reasons = degradedReasons(record).map(
    (it) => `Marked as degraded: ${it || 'without a reason'}`,
  );
  return [
    line(startedAt, 'DEBUG', `The script starts with runtime ${runtimeVersion}`),
    ...[
      ...(isLent ? [servedBefore('The browser', served.browser)] : []),
      ...(served.process > 0 ? [servedBefore('The process of the script', served.process)] : []),
    ].map((msg) => line(startedAt, 'DEBUG', msg)),
    ...(isOpen ? [line(startedAt, 'WARN', OPEN)] : []),
    ...[...reasons, ...problems].map((msg) => line(stoppedAt, 'WARN', msg)),
    line(stoppedAt, 'DEBUG', `The script took ${Math.round(durationMs)} ms`),
  ];
}

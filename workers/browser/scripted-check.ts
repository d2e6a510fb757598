import { MAX_MEASURED_PAGES } from '#shared/checks/enums.ts';
import { filePathProblems, scriptFiles } from '#shared/checks/script-files.ts';
import type { LogLine } from '#shared/playwright/detail.ts';
import type { ScriptRecord } from '#shared/playwright/script-record.ts';
import { specConfig } from '#shared/playwright/spec-config.ts';
import { degradedReasons, failureMessage, scriptErrors } from '#shared/playwright/verdict.ts';
import { internalFailure } from '#shared/runs/internal-failure.ts';
import {
  type BrowserRunnerData,
  INTERNAL_CAUSES,
  type RunFailure,
  type RunMetrics,
  type RunResult,
} from '#shared/runs/protocol.ts';
import { MAX_MESSAGE_CHARS, Mask } from '../masking/mask.ts';
import type { SecretForms } from '../masking/secret-forms.ts';
import type { RunRequestOf } from '../net/runner.ts';
import { ArtifactWriter } from './artifact-writer.ts';
import type { Cages, Place } from './cage/cages.ts';
import type { CompiledCode } from './compiled-code.ts';
import { keepLeftFiles } from './left-files.ts';
import { runtimeModules } from './runtime-modules.ts';
import { DetailWriter, type ScriptFindings } from './script-detail.ts';
import { type RanScript, runScript, type ScriptRunOptions } from './script-run.ts';
import type { SpecBrowser } from './spec/job.ts';

type ScriptedType = 'BROWSER' | 'MULTI_STEP';
export type ScriptedRequest = { [T in ScriptedType]: RunRequestOf<T> }[ScriptedType];

/** What runs of scripts stand on. */
export interface ScriptParts {
  cages: Cages;
  data: BrowserRunnerData;
  compiled: CompiledCode;
  /** Forms of secrets, kept from run to run. */
  forms: SecretForms;
}

/**
 * Runs the script of a browser or multi-step check in a cage and answers with what it found.
 *
 * @param browser null for a check that has none
 */
export async function runScriptedCheck(
  request: ScriptedRequest,
  browser: SpecBrowser | null,
  parts: ScriptParts,
): Promise<RunResult> {
  const compiled = await parts.compiled.folder();
  const outcome = await parts.cages.use((place) =>
    runIn(place, request, { browser, compiled }, parts),
  );
  if (!('refused' in outcome)) return outcome;
  const { cause, message } = outcome.refused;
  return internalFailure(request, Date.now(), cause, message);
}

async function runIn(
  { folder, waitedMs }: Place,
  request: ScriptedRequest,
  using: Pick<ScriptRunOptions, 'browser' | 'compiled'>,
  { cages, data, forms }: ScriptParts,
): Promise<RunResult> {
  const { check, scope, timeoutMs } = request;
  const [problem] = filePathProblems({ ...check });
  // Saving refuses it; a person may have written it into the file of checks.
  if (problem) throw new Error(`${problem.path.join('.')}: ${problem.message}`);
  const files = scriptFiles(check, scope?.snippets ?? {});
  const runtimeVersion = scope?.runtimeId ?? '';
  const ran = await runScript(cages, {
    ...using,
    folder,
    name: check.name,
    files,
    env: { ...scope?.variables, ...scope?.builtIns },
    config: specConfig(check.playwrightConfig, request.wasFailing ?? false),
    modules: await runtimeModules(runtimeVersion, data.cacheFolder),
    timeoutMs,
    memoryMb: data.memoryMb,
  });
  const mask = new Mask({ values: request.secrets ?? [] }, forms);
  const writer = new ArtifactWriter(data.artifactsFolder);
  const inputs = new Set(files.texts.keys());
  const left = await keepLeftFiles(folder, ran.record, inputs, writer, mask);
  const found: ScriptFindings = {
    ...left,
    record: ran.record,
    startedAt: ran.startedAt,
    stoppedAt: ran.startedAt + Math.round(ran.durationMs),
    waitedMs,
    runtimeVersion,
    brokenOff: ran.failure?.message ?? null,
    sources: files.texts,
    log: [...ran.log, ...ownLines(ran, runtimeVersion, cages, writer.problems)],
  };
  return resultOf(request, found, ran, writer, mask);
}

function resultOf(
  request: ScriptedRequest,
  found: ScriptFindings,
  ran: RanScript,
  writer: ArtifactWriter,
  mask: Mask,
): RunResult {
  const { runId, check } = request;
  const failure = ran.failure ?? failureOf(ran.record);
  const isOurs = failure !== null && INTERNAL_CAUSES.includes(failure.cause);
  const details = new DetailWriter(found, (text, maxChars) => mask.start(text, maxChars));
  const isBrowser = check.checkType === 'BROWSER';
  const detail = isBrowser
    ? { browserCheckResult: details.browser() }
    : { multiStepCheckResult: details.multiStep() };
  return {
    runId,
    startedAt: found.startedAt,
    stoppedAt: found.stoppedAt,
    responseTime: ran.durationMs,
    hasFailures: failure !== null && !isOurs,
    hasErrors: isOurs,
    isDegraded: failure === null && degradedReasons(ran.record).length > 0,
    overMaxResponseTime: false,
    failure: failure && {
      cause: failure.cause,
      message: mask.start(failure.message, MAX_MESSAGE_CHARS),
    },
    ...(isBrowser ? measured(ran.record) : { metrics: {} }),
    statusCode: null,
    detail: JSON.stringify(detail),
    artifacts: writer.artifacts,
  };
}

/** Lines of the log, in words of the monitor's own. */
function ownLines(
  ran: RanScript,
  runtimeVersion: string,
  cages: Cages,
  problems: readonly string[],
): LogLine[] {
  const { startedAt, durationMs } = ran;
  const stoppedAt = startedAt + Math.round(durationMs);
  const line = (time: number, level: LogLine['level'], msg: string) => ({ time, level, msg });
  return [
    line(startedAt, 'DEBUG', `The script starts with runtime ${runtimeVersion}`),
    ...(cages.areClosed ? [] : [line(startedAt, 'WARN', OPEN)]),
    ...degradedReasons(ran.record).map((reason) =>
      line(stoppedAt, 'WARN', `Marked as degraded: ${reason || 'without a reason'}`),
    ),
    ...problems.map((problem) => line(stoppedAt, 'WARN', problem)),
    line(stoppedAt, 'DEBUG', `The script took ${Math.round(durationMs)} ms`),
  ];
}

const OPEN =
  'The script could read what Watchpost can: bubblewrap (bwrap), which closes it in, is not there';

function failureOf(record: ScriptRecord): RunFailure | null {
  const message = failureMessage(scriptErrors(record));
  return message === null ? null : { cause: 'SCRIPT', message };
}

/** The web vitals of the first page are those of the run. */
function measured({ pages, summary }: ScriptRecord): Pick<RunResult, 'metrics' | 'laterPages'> {
  const [first, ...others] = pages.slice(0, MAX_MEASURED_PAGES).map(({ vitals }) => vitals);
  return { metrics: { ...first, ...summary } as RunMetrics, laterPages: others as RunMetrics[] };
}

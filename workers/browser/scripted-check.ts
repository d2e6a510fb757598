import { hash } from 'node:crypto';
import { scheduleOf } from '#shared/checks/schedule.ts';
import { filePathProblems, type ScriptFiles, scriptFiles } from '#shared/checks/script-files.ts';
import { ScriptRecord } from '#shared/playwright/script-record.ts';
import { specConfig } from '#shared/playwright/spec-config.ts';
import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { BrowserRunnerData, RunResult } from '#shared/runs/protocol.ts';
import { Mask } from '../masking/mask.ts';
import type { SecretForms } from '../masking/secret-forms.ts';
import { ArtifactWriter } from './artifact-writer.ts';
import type { Cages, Place } from './cage/cages.ts';
import type { Compiled, CompiledCode } from './compiled-code.ts';
import { keepLeftFiles } from './left-files.ts';
import { runtimeModules } from './runtime-modules.ts';
import { programsOf, type RanScript, runScript } from './script-run.ts';
import { type RunOutcome, type ScriptedRequest, scriptedResult } from './scripted-result.ts';
import type { SpecBrowser } from './spec/job.ts';
import { keyOf, type Transforms } from './transforms.ts';
import type { LentOne, WarmBrowsers } from './warm/warm-browsers.ts';

/** What runs of scripts stand on. */
export interface ScriptParts {
  cages: Cages;
  data: BrowserRunnerData;
  compiled: CompiledCode;
  transforms: Transforms;
  /** Null where each run starts a browser of its own. */
  warm: WarmBrowsers | null;
  /** Forms of secrets, kept from run to run. */
  forms: SecretForms;
}

/**
 * Runs the script of a browser or multi-step check in a cage and answers with what it found.
 *
 * @param browser null for a check that has none
 * @param signal aborts once nobody wants the run any more
 */
export async function runScriptedCheck(
  request: ScriptedRequest,
  browser: SpecBrowser | null,
  parts: ScriptParts,
  signal?: AbortSignal,
): Promise<RunResult> {
  const compiled = await parts.compiled.get();
  const outcome = await parts.cages.use((place) =>
    runIn(place, request, { browser, compiled, signal }, parts),
  );
  if (signal?.aborted) return internalFailure(request, Date.now(), 'CANCELLED', CANCELLED);
  if (!('refused' in outcome)) return outcome;
  const { cause, message } = outcome.refused;
  return internalFailure(request, Date.now(), cause, message);
}

const CANCELLED = 'The run was cancelled.';

interface Means {
  browser: SpecBrowser | null;
  compiled: Compiled;
  signal: AbortSignal | undefined;
}

async function runIn(
  place: Place,
  request: ScriptedRequest,
  means: Means,
  parts: ScriptParts,
): Promise<RunResult> {
  if (means.signal?.aborted) return internalFailure(request, Date.now(), 'CANCELLED', CANCELLED);
  const files = scriptFiles(request.check, request.scope?.snippets ?? {});
  const [problem] = filePathProblems({ ...request.check });
  // Saving refuses it; a person may have written it into the file of checks.
  if (problem) {
    const ran = refused(`${problem.path.join('.')}: ${problem.message}`);
    return await resultOf(ran, request, { ...place, files, served: NEW }, parts);
  }
  const lent = await lend(request, files, means, parts);
  if (lent === null) return await runWith(null, place, request, files, means, parts);
  let isGood = false;
  try {
    const inside = { ...place, folder: lent.folder };
    const result = await runWith(lent, inside, request, files, means, parts);
    isGood = result.failure === null;
    return result;
  } finally {
    await lent.giveBack(isGood);
  }
}

/** A browser that runs already, or will run on for the next run of the check. */
async function lend(
  { check, scope }: ScriptedRequest,
  files: ScriptFiles,
  { browser, compiled }: Means,
  { warm, data }: ScriptParts,
): Promise<LentOne | null> {
  const { launchArgs } = compiled;
  if (warm === null || browser === null || launchArgs.length === 0) return null;
  const variables = scope?.variables ?? {};
  return await warm.lend({
    checkId: check.id,
    key: hash('sha256', JSON.stringify([keyOf(check.id, files), variables, browser])),
    ...{ periodMs: scheduleOf(check).periodMs, variables, memoryMb: data.memoryMb },
    path: browser.path,
    args: [...launchArgs, ...browser.args],
    readable: programsOf(browser),
  });
}

async function runWith(
  lent: LentOne | null,
  place: Place,
  request: ScriptedRequest,
  files: ScriptFiles,
  { browser, compiled, signal }: Means,
  parts: ScriptParts,
): Promise<RunResult> {
  const { check, scope, wasFailing = false, timeoutMs } = request;
  const { cages, data, transforms } = parts;
  const { folder } = place;
  const key = keyOf(check.id, files);
  const served = lent
    ? { browser: lent.servedRuns, process: lent.browser.process.servedRuns }
    : NEW;
  const ran = await runScript(cages, {
    ...{ folder, name: check.name, files, timeoutMs, memoryMb: data.memoryMb },
    browser: browser && { ...browser, lent: lent?.browser.lent ?? null },
    ...{ beside: lent?.browser.caged, kept: lent?.browser.process, signal },
    compiled: compiled.folder,
    transformed: transforms.get(key),
    env: { ...scope?.variables, ...scope?.builtIns },
    config: specConfig(check.playwrightConfig, wasFailing),
    modules: await runtimeModules(scope?.runtimeId ?? '', data.cacheFolder),
  });
  await transforms.take(folder, key);
  return await resultOf(ran, request, { ...place, files, served }, parts);
}

const NEW = { browser: 0, process: 0 };

async function resultOf(
  ran: RanScript,
  request: ScriptedRequest,
  { folder, ...known }: Pick<RunOutcome, 'waitedMs' | 'files' | 'served'> & Place,
  { cages, data, forms }: ScriptParts,
): Promise<RunResult> {
  const mask = new Mask({ values: request.secrets ?? [] }, forms);
  const writer = new ArtifactWriter(data.artifactsFolder);
  const inputs = new Set(known.files.texts.keys());
  const left = await keepLeftFiles(folder, ran.record, inputs, writer, mask);
  return scriptedResult(request, { ran, left, ...known, isOpen: !cages.areClosed }, writer, mask);
}

/** A run that does not take place, as its check is wrong. */
function refused(message: string): RanScript {
  const startedAt = Date.now();
  const record = new ScriptRecord(startedAt);
  record.errors.push({ message });
  return { record, failure: null, startedAt, durationMs: 0, log: [] };
}

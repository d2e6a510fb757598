import { filePathProblems, type ScriptFiles, scriptFiles } from '#shared/checks/script-files.ts';
import { ScriptRecord } from '#shared/playwright/script-record.ts';
import { specConfig } from '#shared/playwright/spec-config.ts';
import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { BrowserRunnerData, RunResult } from '#shared/runs/protocol.ts';
import { Mask } from '../masking/mask.ts';
import type { SecretForms } from '../masking/secret-forms.ts';
import { ArtifactWriter } from './artifact-writer.ts';
import type { Cages, Place } from './cage/cages.ts';
import type { CompiledCode } from './compiled-code.ts';
import { keepLeftFiles } from './left-files.ts';
import { runtimeModules } from './runtime-modules.ts';
import { type RanScript, runScript, type ScriptRunOptions } from './script-run.ts';
import { type ScriptedRequest, scriptedResult } from './scripted-result.ts';
import type { SpecBrowser } from './spec/job.ts';
import { keyOf, type Transforms } from './transforms.ts';

/** What runs of scripts stand on. */
export interface ScriptParts {
  cages: Cages;
  data: BrowserRunnerData;
  compiled: CompiledCode;
  transforms: Transforms;
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
  parts: ScriptParts,
): Promise<RunResult> {
  const { cages, data, forms } = parts;
  const { check, scope } = request;
  const files = scriptFiles(check, scope?.snippets ?? {});
  const [problem] = filePathProblems({ ...check });
  // Saving refuses it; a person may have written it into the file of checks.
  const ran = problem
    ? refused(`${problem.path.join('.')}: ${problem.message}`)
    : await run(folder, request, files, using, parts);
  const mask = new Mask({ values: request.secrets ?? [] }, forms);
  const writer = new ArtifactWriter(data.artifactsFolder);
  const left = await keepLeftFiles(folder, ran.record, new Set(files.texts.keys()), writer, mask);
  return scriptedResult(
    request,
    { ran, left, files, waitedMs, isOpen: !cages.areClosed },
    writer,
    mask,
  );
}

async function run(
  folder: string,
  { check, scope, wasFailing = false, timeoutMs }: ScriptedRequest,
  files: ScriptFiles,
  using: Pick<ScriptRunOptions, 'browser' | 'compiled'>,
  { cages, data, transforms }: ScriptParts,
): Promise<RanScript> {
  const key = keyOf(check.id, files);
  const ran = await runScript(cages, {
    ...using,
    ...{ folder, name: check.name, files, timeoutMs, memoryMb: data.memoryMb },
    transformed: transforms.get(key),
    env: { ...scope?.variables, ...scope?.builtIns },
    config: specConfig(check.playwrightConfig, wasFailing),
    modules: await runtimeModules(scope?.runtimeId ?? '', data.cacheFolder),
  });
  await transforms.take(folder, key);
  return ran;
}

/** A run that does not take place, as its check is wrong. */
function refused(message: string): RanScript {
  const startedAt = Date.now();
  const record = new ScriptRecord(startedAt);
  record.errors.push({ message });
  return { record, failure: null, startedAt, durationMs: 0, log: [] };
}

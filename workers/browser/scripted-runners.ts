import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { BrowserRunnerData, FoundChromium } from '#shared/runs/protocol.ts';
import { SecretForms } from '../masking/secret-forms.ts';
import type { Runner } from '../net/runner.ts';
import type { Cages } from './cage/cages.ts';
import { closeOwnPorts } from './cage/own-ports.ts';
import { NO_CHROMIUM } from './chromium/chromium-finder.ts';
import { CompiledCode } from './compiled-code.ts';
import { runScriptedCheck, type ScriptParts } from './scripted-check.ts';
import type { SpecBrowser } from './spec/job.ts';
import { Transforms } from './transforms.ts';
import { WarmBrowsers, type WarmLimits } from './warm/warm-browsers.ts';

/** Finds the Chromium of this machine; null where it has none. */
export interface ChromiumSource {
  find(): Promise<FoundChromium | null>;
}

/** Finds the program that makes videos; null where this machine has none. */
export interface FfmpegSource {
  find(): Promise<string | null>;
}

export interface RunnerParts extends ScriptParts {
  chromium: ChromiumSource;
  ffmpeg: FfmpegSource;
}

/** What the runners of scripts of one thread share. */
export function createRunnerParts(
  cages: Cages,
  data: BrowserRunnerData,
  { chromium, ffmpeg }: Pick<RunnerParts, 'chromium' | 'ffmpeg'>,
  limits: Partial<WarmLimits> = {},
): RunnerParts {
  const findBrowser = async () => {
    const found = await chromium.find();
    return found && browserOf(found, data, ffmpeg);
  };
  const compiled = new CompiledCode(cages, data.cacheFolder, findBrowser);
  return {
    ...{ cages, data, chromium, ffmpeg, compiled },
    transforms: new Transforms(),
    warm: data.warmBrowsers ? new WarmBrowsers(cages, { ...warmLimits(data), ...limits }) : null,
    forms: new SecretForms(),
  };
}

function warmLimits({ browsersAtOnce }: BrowserRunnerData): WarmLimits {
  return { atMost: 2 * browsersAtOnce, runs: 50, ageMs: 15 * MINUTE_MS, idleMs: 5 * MINUTE_MS };
}
const MINUTE_MS = 60_000;

const WRONG_THREAD = 'This thread runs no scripts with a browser';

/** Makes the runner of browser checks: a script in real Chromium, and all that its pages do measured. */
export function createBrowserRunner(parts: RunnerParts | null): Runner<'BROWSER'> {
  return async (request, signal) => {
    if (parts === null) return internalFailure(request, Date.now(), 'INTERNAL', WRONG_THREAD);
    const found = await parts.chromium.find();
    if (found === null) return internalFailure(request, Date.now(), 'UNSUPPORTED', NO_CHROMIUM);
    const browser = await browserOf(found, parts.data, parts.ffmpeg);
    return await runScriptedCheck(request, browser, parts, signal);
  };
}

/** Makes the runner of multi-step checks: the same script without a browser. */
export function createMultiStepRunner(parts: RunnerParts | null): Runner<'MULTI_STEP'> {
  return async (request, signal) =>
    parts === null
      ? internalFailure(request, Date.now(), 'INTERNAL', WRONG_THREAD)
      : await runScriptedCheck(request, null, parts, signal);
}

async function browserOf(
  { path, args }: FoundChromium,
  { ownPorts }: BrowserRunnerData,
  ffmpeg: FfmpegSource,
): Promise<SpecBrowser> {
  const all = [...args, ...closeOwnPorts(ownPorts)];
  return { path, args: all, lent: null, ffmpeg: await ffmpeg.find() };
}

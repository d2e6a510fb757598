import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { FoundChromium } from '#shared/runs/protocol.ts';
import type { Runner } from '../net/runner.ts';
import { closeOwnPorts } from './cage/own-ports.ts';
import { NO_CHROMIUM } from './chromium/chromium-finder.ts';
import { runScriptedCheck, type ScriptParts } from './scripted-check.ts';
import type { SpecBrowser } from './spec/job.ts';

/** What the runners of scripts stand on; null in a thread that runs none. */
export type RunnerParts = (ScriptParts & { chromium: ChromiumSource }) | null;

interface ChromiumSource {
  find(): Promise<FoundChromium | null>;
}

const WRONG_THREAD = 'This thread runs no scripts with a browser';

/** Makes the runner of browser checks: a script in real Chromium, and all that its pages do measured. */
export function createBrowserRunner(parts: RunnerParts): Runner<'BROWSER'> {
  return async (request) => {
    if (parts === null) return internalFailure(request, Date.now(), 'INTERNAL', WRONG_THREAD);
    const found = await parts.chromium.find();
    if (found === null) return internalFailure(request, Date.now(), 'UNSUPPORTED', NO_CHROMIUM);
    return await runScriptedCheck(request, browserOf(found, parts), parts);
  };
}

/** Makes the runner of multi-step checks: the same script without a browser. */
export function createMultiStepRunner(parts: RunnerParts): Runner<'MULTI_STEP'> {
  return async (request) =>
    parts === null
      ? internalFailure(request, Date.now(), 'INTERNAL', WRONG_THREAD)
      : await runScriptedCheck(request, null, parts);
}

function browserOf({ path, args }: FoundChromium, { data }: ScriptParts): SpecBrowser {
  return { path, args: [...args, ...closeOwnPorts(data.ownPorts)], endpoint: null };
}

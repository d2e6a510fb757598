import { OWN_BROWSER_DATA, OWN_CAGES } from './cage/own-cages.ts';
import { ChromiumFinder } from './chromium/chromium-finder.ts';
import { findFfmpeg } from './find-ffmpeg.ts';
import { createRunnerParts, type RunnerParts } from './scripted-runners.ts';

/** What the runners of this thread share; null in a thread that runs no browsers. */
export const OWN_SCRIPT_PARTS: RunnerParts | null =
  OWN_CAGES && OWN_BROWSER_DATA
    ? createRunnerParts(OWN_CAGES, OWN_BROWSER_DATA, {
        chromium: new ChromiumFinder(OWN_BROWSER_DATA.chromium),
        ffmpeg: { find: findFfmpeg },
      })
    : null;

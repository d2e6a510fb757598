import { SecretForms } from '../masking/secret-forms.ts';
import { OWN_BROWSER_DATA, OWN_CAGES } from './cage/own-cages.ts';
import { ChromiumFinder } from './chromium/chromium-finder.ts';
import type { RunnerParts } from './scripted-runners.ts';

/** What the runners of this thread share; null in a thread that runs no browsers. */
export const OWN_SCRIPT_PARTS: RunnerParts =
  OWN_CAGES && OWN_BROWSER_DATA
    ? {
        cages: OWN_CAGES,
        data: OWN_BROWSER_DATA,
        chromium: new ChromiumFinder(OWN_BROWSER_DATA.chromium),
        forms: new SecretForms(),
      }
    : null;

import { join } from 'node:path';
import { OWN_SCRIPT_PARTS } from '../browser/own-script-parts.ts';
import { Installs } from '../browser/suite/installs.ts';
import { createPlaywrightRunner } from '../browser/suite/suite-runner.ts';

/** Runs a project of Playwright with this machine's Chromium. */
export const runPlaywright = createPlaywrightRunner(
  OWN_SCRIPT_PARTS && {
    ...OWN_SCRIPT_PARTS,
    installs: new Installs(join(OWN_SCRIPT_PARTS.data.cacheFolder, 'installs')),
  },
);

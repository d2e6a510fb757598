import { OWN_SCRIPT_PARTS } from '../browser/own-script-parts.ts';
import { createBrowserRunner } from '../browser/scripted-runners.ts';

/** Runs a browser check in this machine's Chromium. */
export const runBrowser = createBrowserRunner(OWN_SCRIPT_PARTS);

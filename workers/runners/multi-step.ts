import { OWN_SCRIPT_PARTS } from '../browser/own-script-parts.ts';
import { createMultiStepRunner } from '../browser/scripted-runners.ts';

/** Runs a multi-step check. */
export const runMultiStep = createMultiStepRunner(OWN_SCRIPT_PARTS);

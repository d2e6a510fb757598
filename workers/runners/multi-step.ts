import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { Runner } from '../net/runner.ts';

/** Says that there is no such run yet, with `hasErrors`: the target has done nothing wrong. */
export const runMultiStep: Runner<'MULTI_STEP'> = async (request) =>
  internalFailure(
    request,
    Date.now(),
    'UNSUPPORTED',
    'This version of Watchpost cannot run MULTI_STEP checks yet',
  );

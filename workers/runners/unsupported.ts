import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { Runner } from '../net/runner.ts';

/**
 * Ends a run of a type that this version has no runner for: a result that says so, with
 * `hasErrors`, because the target has done nothing wrong.
 */
export const runUnsupported: Runner<'BROWSER' | 'MULTI_STEP' | 'PLAYWRIGHT'> = async (request) =>
  internalFailure(
    request,
    Date.now(),
    'UNSUPPORTED',
    `This version of Watchpost cannot run ${request.check.checkType} checks yet`,
  );

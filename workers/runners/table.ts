import type { RunnableCheckType } from '#shared/checks/enums.ts';
import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { Runner } from '../net/runner.ts';
import { runApi } from './api.ts';
import { runDns } from './dns.ts';
import { runIcmp } from './icmp.ts';
import { runTcp } from './tcp.ts';
import { runUrl } from './url.ts';

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

/** The one table of runners: a new check type is a new line here. */
export const RUNNERS = {
  API: runApi,
  URL: runUrl,
  TCP: runTcp,
  DNS: runDns,
  ICMP: runIcmp,
  BROWSER: runUnsupported,
  MULTI_STEP: runUnsupported,
  PLAYWRIGHT: runUnsupported,
} as const satisfies { [T in RunnableCheckType]: Runner<T> };

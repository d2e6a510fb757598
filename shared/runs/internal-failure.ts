import { CHECK_TRAITS, type RunnableCheckType } from '#shared/checks/enums.ts';
import type { Cause, RunResult } from './protocol.ts';

/**
 * The result of a run that our own trouble ended: `hasErrors`, never `hasFailures`.
 *
 * @param at epoch ms: when it was noticed
 */
export function internalFailure(
  request: { runId: string; check: { checkType: RunnableCheckType } },
  at: number,
  cause: Cause,
  message: string,
  startedAt = at,
): RunResult {
  return {
    runId: request.runId,
    startedAt,
    stoppedAt: at,
    responseTime: 0,
    hasFailures: false,
    hasErrors: true,
    isDegraded: false,
    overMaxResponseTime: false,
    failure: { cause, message },
    metrics: {},
    statusCode: null,
    detail: JSON.stringify({
      [CHECK_TRAITS[request.check.checkType].detail]: { requestError: message, errors: [message] },
    }),
  };
}

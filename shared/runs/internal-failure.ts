import type { RunnableCheckType } from '#shared/checks/enums.ts';
import type { Cause, RunResult } from './protocol.ts';

/** Which member of a result holds the detail of each check type (specification 2.7). */
const DETAIL_KEY = {
  API: 'apiCheckResult',
  URL: 'apiCheckResult',
  TCP: 'tcpCheckResult',
  DNS: 'dnsCheckResult',
  ICMP: 'icmpCheckResult',
  BROWSER: 'browserCheckResult',
  MULTI_STEP: 'multiStepCheckResult',
  PLAYWRIGHT: 'playwrightCheckResult',
} as const;

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
      [DETAIL_KEY[request.check.checkType]]: { requestError: message, errors: [message] },
    }),
  };
}

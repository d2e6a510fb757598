import { z } from 'zod';
import { sslDaysRemaining } from '#shared/alerting/ssl.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import type { PeerCertificate } from '#shared/runs/protocol.ts';
import type { StoredResult } from './check-result.ts';
import type { StoredHeartbeatEvent } from './heartbeat-event.ts';

/** Where a check stands by its last FINAL result. */
export const checkStatus = z.object({
  name: z.string(),
  checkId: z.string(),
  hasFailures: z.boolean(),
  hasErrors: z.boolean(),
  isDegraded: z.boolean(),
  /** Milliseconds. */
  longestRun: z.number().nullable(),
  shortestRun: z.number().nullable(),
  lastRunLocation: z.string().nullable(),
  lastCheckRunId: z.string().nullable(),
  sslDaysRemaining: z.number().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});
export type CheckStatus = z.output<typeof checkStatus>;

/** The part of a status that results change; kept with the result that changed it. */
export const keptStatus = checkStatus.omit({ name: true, checkId: true }).extend({
  /** Milliseconds; missing in what older versions wrote. Badges show it, the API's status does not. */
  lastRun: z.number().nullable().optional(),
  /** What the days of `sslDaysRemaining` were counted to; missing in what older versions wrote. */
  certificate: z.object({ domain: z.string(), notAfter: z.number() }).nullable().optional(),
  /** Of a heartbeat, epoch ms: the last ping. Null before the first; missing as `certificate`. */
  lastPingAt: z.number().nullable().optional(),
});
export type KeptStatus = z.output<typeof keptStatus>;

/** The status after one more FINAL result, and the certificate that its run met, if it met one. */
export function statusAfter(
  previous: KeptStatus | null,
  result: StoredResult,
  certificate: PeerCertificate | null = null,
): KeptStatus {
  const at = new Date(result.createdAt).toISOString();
  return {
    hasFailures: result.hasFailures,
    hasErrors: result.hasErrors,
    isDegraded: result.isDegraded,
    ...timesAfter(previous, result),
    lastRunLocation: result.runLocation,
    lastCheckRunId: String(result.checkRunId),
    sslDaysRemaining: daysRemaining(previous, result, certificate),
    certificate: certificate ?? (isUncertain(result) ? (previous?.certificate ?? null) : null),
    created_at: previous?.created_at ?? at,
    updated_at: at,
  };
}

/** A run that could not be made has no time of its target. */
function timesAfter(previous: KeptStatus | null, { hasErrors, responseTime }: StoredResult) {
  const { longestRun = null, shortestRun = null, lastRun = null } = previous ?? {};
  if (hasErrors) return { longestRun, shortestRun, lastRun };
  const run = Math.round(responseTime);
  return {
    longestRun: Math.max(longestRun ?? run, run),
    shortestRun: Math.min(shortestRun ?? run, run),
    lastRun: run,
  };
}

/** A run that failed may not have come as far as the certificate: then the last one known counts. */
function daysRemaining(
  previous: KeptStatus | null,
  result: StoredResult,
  certificate: PeerCertificate | null,
): number | null {
  if (certificate !== null) return sslDaysRemaining({ ...certificate, at: result.createdAt });
  return isUncertain(result) ? (previous?.sslDaysRemaining ?? null) : null;
}

function isUncertain({ hasFailures, hasErrors }: StoredResult): boolean {
  return hasFailures || hasErrors;
}

/** The status of a heartbeat check after one more event: no locations, no durations. */
export function heartbeatStatusAfter(
  previous: KeptStatus | null,
  event: StoredHeartbeatEvent,
): KeptStatus {
  const at = new Date(event.timestamp).toISOString();
  return {
    hasFailures: event.state === 'FAILING',
    hasErrors: false,
    isDegraded: false,
    longestRun: null,
    shortestRun: null,
    lastRunLocation: null,
    lastCheckRunId: null,
    sslDaysRemaining: null,
    lastPingAt: isPassing(event.state) ? event.timestamp : (previous?.lastPingAt ?? null),
    created_at: previous?.created_at ?? at,
    updated_at: at,
  };
}

/** A status as the API shows it. Each member is named, which costs a third of taking the others away. */
export function viewStatus(check: { id: string; name: string }, kept: KeptStatus): CheckStatus {
  return {
    name: check.name,
    checkId: check.id,
    hasFailures: kept.hasFailures,
    hasErrors: kept.hasErrors,
    isDegraded: kept.isDegraded,
    longestRun: kept.longestRun,
    shortestRun: kept.shortestRun,
    lastRunLocation: kept.lastRunLocation,
    lastCheckRunId: kept.lastCheckRunId,
    sslDaysRemaining: kept.sslDaysRemaining,
    created_at: kept.created_at,
    updated_at: kept.updated_at,
  };
}

/**
 * Where a check stands in one word: the `status` filter of the check lists, which has none for
 * `inconclusive`. A run that we could not make says nothing of the target.
 */
export function statusWord(
  status: Pick<KeptStatus, 'hasFailures' | 'hasErrors' | 'isDegraded'>,
): 'passing' | 'failing' | 'degraded' | 'inconclusive' {
  if (status.hasFailures) return 'failing';
  if (status.hasErrors) return 'inconclusive';
  return status.isDegraded ? 'degraded' : 'passing';
}

import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import type { ShownHeartbeat } from './queries.ts';

const UNIT_MS = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
} as const;

/** When the next ping is expected, epoch ms; null before the first one, and while it is off. */
export function nextPingAt(
  { heartbeat }: ShownHeartbeat,
  summary: Pick<CheckSummary, 'lastRunAt' | 'state'> | undefined,
): number | null {
  const last = summary?.lastRunAt ?? null;
  if (last === null || summary?.state === 'paused') return null;
  return last + heartbeat.period * UNIT_MS[heartbeat.periodUnit];
}

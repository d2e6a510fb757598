import { Temporal } from 'temporal-polyfill';
import type { TimeRange } from '#shared/api/time-range.ts';

/** Times that clients name in place of two dates (4.7). */
export const QUICK_RANGES = [
  'last24Hours',
  'last7Days',
  'last30Days',
  'thisWeek',
  'thisMonth',
  'lastWeek',
  'lastMonth',
] as const;
export type QuickRange = (typeof QUICK_RANGES)[number];

const HOURS = { last24Hours: 24, last7Days: 7 * 24, last30Days: 30 * 24 } as const;
const HOUR_MS = 3_600_000;

/**
 * What one means at `now` (epoch ms), in epoch ms. `last…Hours` and `last…Days` end now; weeks start on
 * Monday; days, weeks and months are those of the zone (IANA name).
 */
export function quickRangeAt(range: QuickRange, now: number, zone = 'UTC'): TimeRange {
  if (range === 'last24Hours' || range === 'last7Days' || range === 'last30Days') {
    return { from: now - HOURS[range] * HOUR_MS, to: now };
  }
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).startOfDay();
  const isWeek = range === 'thisWeek' || range === 'lastWeek';
  const first = isWeek ? today.subtract({ days: today.dayOfWeek - 1 }) : today.with({ day: 1 });
  const start = first.startOfDay();
  if (range === 'thisWeek' || range === 'thisMonth') {
    return { from: start.epochMilliseconds, to: now };
  }
  const before = first.subtract(isWeek ? { weeks: 1 } : { months: 1 }).startOfDay();
  return { from: before.epochMilliseconds, to: start.epochMilliseconds };
}

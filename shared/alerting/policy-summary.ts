import { z } from 'zod';
import { ALERT_OCCASIONS } from '#shared/alerting/alert.ts';
import { ALERT_TYPES } from '#shared/alerting/alert-type.ts';
import {
  MAX_REPLAYED,
  type ReplayedNotification,
  type ReplaySummary,
} from '#shared/alerting/replay.ts';

const moment = z.iso.datetime().nullable();

/** What a policy would have sent for some checks together. */
export const policySummary = z.object({
  /** Messages, on a channel that wants all. */
  count: z.number(),
  /** Those that say that a check fails, with their reminders: what wakes somebody. */
  woken: z.number(),
  /** Alerts that would have been recorded only. */
  withheld: z.number(),
  /** The first of the messages, in order. */
  notifications: z
    .array(
      z.object({
        at: z.iso.datetime(),
        checkId: z.guid(),
        type: z.enum(ALERT_TYPES),
        occasion: z.enum(ALERT_OCCASIONS),
        reminderSequence: z.number(),
      }),
    )
    .max(MAX_REPLAYED),
  /** Of the check that is told of first that it fails; without one, of the first that fails. */
  firstFailureAt: moment,
  firstFailureToldAt: moment,
  /** Milliseconds between the two. */
  delayOfFirstMs: z.number().nullable(),
});
export type PolicySummary = z.output<typeof policySummary>;

/** What was replayed of several checks. */
interface ReplayTotal {
  count: number;
  woken: number;
  withheld: number;
  /** In the order of time; no more than an answer shows. */
  notifications: readonly (ReplayedNotification & { checkId: string })[];
  /** Of the check that comes first; see {@link policySummary}. */
  first: ReplaySummary | null;
}

export const NOTHING_REPLAYED: ReplayTotal = {
  count: 0,
  woken: 0,
  withheld: 0,
  notifications: [],
  first: null,
};

/** The total with one more check; bounded, however many there are. */
export function withCheck(
  total: ReplayTotal,
  checkId: string,
  summary: ReplaySummary,
): ReplayTotal {
  const more = summary.notifications.map((notification) => ({ ...notification, checkId }));
  return {
    count: total.count + summary.count,
    woken: total.woken + summary.woken,
    withheld: total.withheld + summary.withheld,
    notifications: [...total.notifications, ...more]
      .sort((one, other) => one.at - other.at)
      .slice(0, MAX_REPLAYED),
    first: total.first === null || isBefore(summary, total.first) ? summary : total.first,
  };
}

export function viewTotal(total: ReplayTotal): PolicySummary {
  const { count, woken, withheld, notifications, first } = total;
  return {
    count,
    woken,
    withheld,
    notifications: notifications.map(({ at, ...notification }) => ({
      at: new Date(at).toISOString(),
      ...notification,
    })),
    firstFailureAt: iso(first?.firstFailureAt),
    firstFailureToldAt: iso(first?.firstFailureToldAt),
    delayOfFirstMs: first?.delayOfFirstMs ?? null,
  };
}

/** Whether a failure of one check is told before that of another or, where neither is, comes before. */
function isBefore(one: ReplaySummary, other: ReplaySummary): boolean {
  const [told, otherTold] = [timeOf(one.firstFailureToldAt), timeOf(other.firstFailureToldAt)];
  if (told !== otherTold) return told < otherTold;
  return timeOf(one.firstFailureAt) < timeOf(other.firstFailureAt);
}

function timeOf(ms: number | null): number {
  return ms ?? Number.POSITIVE_INFINITY;
}

function iso(ms: number | null | undefined): string | null {
  return ms == null ? null : new Date(ms).toISOString();
}

import { z } from 'zod';
import { ALERT_OCCASIONS } from '#shared/alert/alert.ts';
import { ALERT_TYPES } from '#shared/alert/alert-type.ts';
import { MAX_REPLAYED, type ReplaySummary } from '#shared/rules/alert/replay.ts';

const moment = z.iso.datetime().nullable();

/** What a policy would have sent for some checks together. */
export const policySummary = z.object({
  /** Messages, on a channel that wants all. */
  count: z.number(),
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

/** What was replayed of one check. */
export interface CheckSummary {
  checkId: string;
  summary: ReplaySummary;
}

/** The summaries of one policy over several checks, as one. */
export function united(parts: readonly CheckSummary[]): PolicySummary {
  const summaries = parts.map(({ summary }) => summary);
  const first = firstOf(summaries);
  return {
    count: sum(summaries, ({ count }) => count),
    withheld: sum(summaries, ({ withheld }) => withheld),
    notifications: parts
      .flatMap(({ checkId, summary }) =>
        summary.notifications.map((notification) => ({ ...notification, checkId })),
      )
      .sort((one, other) => one.at - other.at)
      .slice(0, MAX_REPLAYED)
      .map((notification) => ({ ...notification, at: new Date(notification.at).toISOString() })),
    firstFailureAt: iso(first?.firstFailureAt),
    firstFailureToldAt: iso(first?.firstFailureToldAt),
    delayOfFirstMs: first?.delayOfFirstMs ?? null,
  };
}

function firstOf(summaries: readonly ReplaySummary[]): ReplaySummary | undefined {
  const told = least(summaries, ({ firstFailureToldAt }) => firstFailureToldAt);
  return told ?? least(summaries, ({ firstFailureAt }) => firstFailureAt);
}

function least(
  summaries: readonly ReplaySummary[],
  timeOf: (summary: ReplaySummary) => number | null,
): ReplaySummary | undefined {
  return summaries
    .flatMap((summary) => {
      const at = timeOf(summary);
      return at === null ? [] : { summary, at };
    })
    .sort((one, other) => one.at - other.at)[0]?.summary;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function iso(ms: number | null | undefined): string | null {
  return ms == null ? null : new Date(ms).toISOString();
}

import type { AlertSettings } from '#shared/checks/blocks.ts';
import type { AlertDecision, AlertPolicy } from './alert.ts';
import type { AlertState } from './alert-state.ts';
import { quietedBy } from './policy.ts';
import { MINUTE_MS } from './threshold.ts';

/**
 * Reminders: the first one interval after the alert, then `amount` of them in all,
 * until the check moves. Of an alert that was withheld, and while a check is flapping, there are none.
 */

/** When the next reminder is due, epoch ms; null where none is. A pure fact of what is kept. */
export function nextReminderAt(
  { raised, flapping }: AlertState,
  { reminders }: Pick<AlertSettings, 'reminders'>,
): number | null {
  if (raised === null || !raised.sent || flapping.episode !== null) return null;
  if (raised.reminders >= reminders.amount) return null;
  return raised.lastAt + reminders.interval * MINUTE_MS;
}

/**
 * The reminder that is due at `now` (epoch ms), if one is. It is one however long ago it was due: the
 * next comes an interval after it. A reminder that falls into a muted time or a maintenance window is
 * used up, and not sent.
 */
export function remind(state: AlertState, policy: AlertPolicy, now: number): AlertDecision {
  const dueAt = nextReminderAt(state, policy.settings);
  const { raised, streak, troubleSince } = state;
  if (dueAt === null || raised === null || now < dueAt) return { state, alert: null };
  const reminders = raised.reminders + 1;
  const withheld = quietedBy(policy);
  return {
    state: { ...state, raised: { ...raised, reminders, lastAt: now } },
    alert: {
      type: raised.type,
      occasion: 'reminder',
      isNew: false,
      notify: withheld === null,
      withheld,
      reminderSequence: reminders,
      since: streak?.since ?? now,
      troubleSince: troubleSince ?? now,
      changes: 0,
      told: state.told,
    },
  };
}

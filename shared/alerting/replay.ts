import type { AlertDecision, AlertOccasion, AlertPolicy } from './alert.ts';
import { alertAfter } from './alert-after.ts';
import { initialAlertState } from './alert-state.ts';
import { ALERT_SUBJECTS, type AlertType } from './alert-type.ts';
import type { RunOutcome } from './outcome.ts';
import { nextReminderAt, remind } from './reminders.ts';

/** So many notifications of a replay are listed; all are counted. */
export const MAX_REPLAYED = 1_000;

export interface ReplayedNotification {
  /** Epoch milliseconds. */
  at: number;
  type: AlertType;
  occasion: AlertOccasion;
  reminderSequence: number;
}

/** What a policy would have sent; all times are epoch milliseconds. */
export interface ReplaySummary {
  /** How many there would have been, on a channel that wants all. */
  count: number;
  /** Those that say that the check fails, with their reminders: what wakes somebody. */
  woken: number;
  /** The first {@link MAX_REPLAYED} of them, in order. */
  notifications: ReplayedNotification[];
  /** Alerts that would have been recorded only. */
  withheld: number;
  /** When the first run ended of which any location failed. */
  firstFailureAt: number | null;
  /** When the first message that says that the check fails would have gone out. */
  firstFailureToldAt: number | null;
  /** The time between the two; null where one of them is missing. */
  delayOfFirstMs: number | null;
}

/**
 * A policy run over the stored outcomes of a period: the same decisions as those of a check that
 * lives. It may be fed in slices; what it keeps is bounded.
 */
export class PolicyReplay {
  #state = initialAlertState;
  #count = 0;
  #woken = 0;
  #withheld = 0;
  #notifications: ReplayedNotification[] = [];
  #firstFailureAt: number | null = null;
  #firstFailureToldAt: number | null = null;
  readonly #policyAt: (at: number) => AlertPolicy;
  readonly #settings: AlertPolicy['settings'];

  /** `silencedAt` tells whether a maintenance window silenced alerts at a moment. */
  constructor(policy: AlertPolicy, silencedAt: (at: number) => boolean = () => policy.silenced) {
    this.#settings = policy.settings;
    this.#policyAt = (at) => ({ ...policy, silenced: silencedAt(at) });
  }

  /** The next run, and the reminders due before it. Runs come in the order of their time. */
  add(outcome: RunOutcome): void {
    this.passTo(outcome.at);
    if (outcome.verdicts.includes('failing')) this.#firstFailureAt ??= outcome.at;
    this.#take(alertAfter(this.#state, outcome, this.#policyAt(outcome.at)), outcome.at);
  }

  /** Time passes without a run: the reminders due before `end`. A long time may pass in slices. */
  passTo(end: number): void {
    let dueAt = nextReminderAt(this.#state, this.#settings);
    while (dueAt !== null && dueAt < end) {
      this.#take(remind(this.#state, this.#policyAt(dueAt), dueAt), dueAt);
      dueAt = nextReminderAt(this.#state, this.#settings);
    }
  }

  /** What would have been sent before `until`, the end of the period. Nothing is added after it. */
  end(until: number): ReplaySummary {
    this.passTo(until);
    const from = this.#firstFailureAt;
    const to = this.#firstFailureToldAt;
    return {
      count: this.#count,
      woken: this.#woken,
      notifications: this.#notifications,
      withheld: this.#withheld,
      firstFailureAt: from,
      firstFailureToldAt: to,
      delayOfFirstMs: from === null || to === null ? null : to - from,
    };
  }

  #take({ state, alert }: AlertDecision, at: number): void {
    this.#state = state;
    if (alert === null) return;
    if (!alert.notify) {
      this.#withheld += alert.isNew ? 1 : 0;
      return;
    }
    const { type, occasion, reminderSequence } = alert;
    this.#count += 1;
    if (this.#count <= MAX_REPLAYED) {
      this.#notifications.push({ at, type, occasion, reminderSequence });
    }
    if (ALERT_SUBJECTS[type] === 'failing') {
      this.#woken += 1;
      this.#firstFailureToldAt ??= at;
    }
  }
}

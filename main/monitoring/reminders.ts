import type { AlertPort, AlertRecords } from '#main/alerting/alert-port.ts';
import type { KeptAlertState } from '#shared/alerting/kept-alert-state.ts';
import type { Clock } from '#shared/clock.ts';

/** Reminders that are decided in one turn of the event loop; the rest wait for the next turn. */
const BURST = 100;
/** How long reminders wait before they ask again whether the monitor is online. */
const OFFLINE_LOOK_MS = 10_000;
/** The clock may be set meanwhile, and timers stand still while a machine sleeps. */
const LONGEST_WAIT_MS = 60_000;

interface ReminderParts {
  clock: Clock;
  alerts: AlertPort;
  /** The state of a check; undefined where it has none, or there is no such check. */
  stateOf(checkId: string): KeptAlertState | undefined;
  /** Writes a reminder with the state of its check; it is sent then. */
  write(checkId: string, records: AlertRecords): void;
}

/**
 * Sends the reminders of alerts that last. One timer serves all checks; due times are computed from
 * the stored alert states, so a restart changes nothing.
 */
export class Reminders {
  readonly #parts: ReminderParts;
  /** The checks with an alert that is raised, and when they are to be looked at, epoch ms. */
  readonly #dueAt = new Map<string, number>();
  #timer: unknown;
  #armedFor = Number.POSITIVE_INFINITY;
  #isStopped = false;

  constructor(parts: ReminderParts) {
    this.#parts = parts;
  }

  /** A check's alert state, or its settings, may be others now. */
  look(checkId: string): void {
    const state = this.#parts.stateOf(checkId);
    if (!state?.raised) {
      this.#dueAt.delete(checkId);
      return;
    }
    const dueAt = this.#parts.alerts.nextReminderAt(checkId, state) ?? Number.POSITIVE_INFINITY;
    this.#dueAt.set(checkId, dueAt);
    this.#armFor(dueAt);
  }

  /** Looks at every check again, some in each turn: a setting for all of them changed. */
  lookAtAll(): void {
    const now = this.#parts.clock.now();
    for (const checkId of this.#dueAt.keys()) this.#dueAt.set(checkId, now);
    this.#armForNext();
  }

  stop(): void {
    this.#isStopped = true;
    this.#parts.clock.clearTimeout(this.#timer);
  }

  #sweep(): void {
    const { clock, alerts } = this.#parts;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = clock.now();
    if (alerts.isOffline()) {
      this.#armFor(now + OFFLINE_LOOK_MS);
      return;
    }
    const due = this.#dueAt.entries().filter(([, dueAt]) => dueAt <= now);
    for (const [checkId] of [...due.take(BURST)]) this.#remind(checkId);
    this.#armForNext();
  }

  #remind(checkId: string): void {
    const { alerts, stateOf, write } = this.#parts;
    const state = stateOf(checkId);
    const records = state ? alerts.reminder(checkId, state) : null;
    if (records) write(checkId, records);
    this.look(checkId);
  }

  #armForNext(): void {
    const next = this.#dueAt.values().reduce((least, at) => Math.min(least, at), Infinity);
    this.#armFor(next);
  }

  /** Sets the timer, unless it is set for an earlier time already. */
  #armFor(at: number): void {
    if (this.#isStopped || at >= this.#armedFor) return;
    const { clock } = this.#parts;
    clock.clearTimeout(this.#timer);
    this.#armedFor = at;
    const waitMs = Math.min(Math.max(0, at - clock.now()), LONGEST_WAIT_MS);
    this.#timer = clock.setTimeout(() => this.#sweep(), waitMs);
  }
}

import type { Log } from '#main/platform/log.ts';
import type { WriteLoad } from '#main/store/history/history.ts';
import type { ScheduleSettings } from '#shared/checks/schedule.ts';
import type { Clock } from '#shared/clock.ts';
import { isOverloaded, isSkippedInOverload } from '#shared/self-monitoring/overload.ts';

interface OverloadParts {
  history: { readonly writeLoad: Pick<WriteLoad, 'filled'> };
  dispatcher: { readonly inFlight: number };
  clock: Clock;
  log: Log;
}

/** At most, but for alerts: a result, a state, and slots that were skipped before it, for up to two reasons. */
const RECORDS_PER_RUN = 4;
const LOGGED_EVERY_MS = 60_000;

/** Sees when results come faster than the history can write them, and says which slots are skipped for it. */
export class Overload {
  readonly #parts: OverloadParts;
  #was = false;
  #skipped = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: OverloadParts) {
    this.#parts = parts;
  }

  get holds(): boolean {
    this.#was = isOverloaded(this.#filled, this.#was);
    return this.#was;
  }

  /** @param slot epoch ms */
  skips(check: ScheduleSettings, slot: number): boolean {
    return this.holds && isSkippedInOverload(check, slot, this.#filled);
  }

  /** Slots were skipped for it: the log says how many, once a minute. */
  note(slots: number): void {
    const { clock, log } = this.#parts;
    this.#skipped += slots;
    if (Math.abs(clock.now() - this.#loggedAt) < LOGGED_EVERY_MS) return;
    const message = 'Results come faster than the history can write them; slots are skipped.';
    log.warn({ skipped: this.#skipped }, message);
    this.#skipped = 0;
    this.#loggedAt = clock.now();
  }

  get #filled(): number {
    const { history, dispatcher } = this.#parts;
    return history.writeLoad.filled(dispatcher.inFlight * RECORDS_PER_RUN);
  }
}

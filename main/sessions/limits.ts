import { TooManySessions } from './sessions-port.ts';

/** Check sessions that may be open at once: in all, and for one check. */
export const MAX_OPEN = 20_000;
export const MAX_OPEN_PER_CHECK = 50;

/** Counts the sessions that are open, so that nobody can pile them up without a bound. */
export class SessionLimits {
  readonly #openOf = new Map<string, number>();
  #open = 0;

  /**
   * Lets one session in for each id.
   * @throws TooManySessions where there is no room for them all; then none is let in
   */
  admit(checkIds: readonly string[]): void {
    if (this.#open + checkIds.length > MAX_OPEN) throw new TooManySessions(this.#open);
    for (const [index, checkId] of checkIds.entries()) {
      const open = this.#openOf.get(checkId) ?? 0;
      if (open >= MAX_OPEN_PER_CHECK) {
        for (const admitted of checkIds.slice(0, index)) this.release(admitted);
        throw new TooManySessions(open);
      }
      this.#add(checkId, 1);
    }
  }

  /** Counts sessions that are open already, however many. */
  count(checkIds: readonly string[]): void {
    for (const checkId of checkIds) this.#add(checkId, 1);
  }

  release(checkId: string): void {
    this.#add(checkId, -1);
  }

  #add(checkId: string, change: 1 | -1): void {
    const open = (this.#openOf.get(checkId) ?? 0) + change;
    if (open > 0) this.#openOf.set(checkId, open);
    else this.#openOf.delete(checkId);
    this.#open += change;
  }
}

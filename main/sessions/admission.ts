import { TooManySessions } from '../api/services.ts';

/** Check sessions that may be open at once: in all, and for one check. */
export const MAX_OPEN = 20_000;
export const MAX_OPEN_PER_CHECK = 50;

/** Counts the sessions that are open, so that nobody can pile them up without a bound. */
export class Admission {
  readonly #openOf = new Map<string, number>();
  #open = 0;

  /**
   * Lets one session in for each id.
   * @throws TooManySessions where there is no room for them all; then none is let in
   */
  admit(checkIds: readonly string[]): void {
    if (this.#open + checkIds.length > MAX_OPEN) throw new TooManySessions(this.#open);
    for (const [checkId, more] of countsOf(checkIds)) {
      const open = this.#openOf.get(checkId) ?? 0;
      if (open + more > MAX_OPEN_PER_CHECK) throw new TooManySessions(open);
    }
    this.count(checkIds);
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

function countsOf(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Tasks that are done in one turn of the event loop: a few milliseconds of starting runs. */
const AT_ONCE = 10;

/**
 * Does tasks in the order in which they come, after the caller has returned, and only some in one turn
 * of the event loop: each start of a run makes actors, and the actors of checks must not wait.
 */
export class InTurns {
  readonly #waiting: (() => void)[] = [];
  /** Done in this turn. */
  #done = 0;
  #isPlanned = false;

  add(work: () => void): void {
    this.#waiting.push(work);
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => this.#doSome());
  }

  #doSome(): void {
    if (this.#done === 0) setImmediate(() => this.#nextTurn());
    // Tasks are taken one at a time: after one that throws, the next turn continues.
    while (this.#done < AT_ONCE && this.#waiting.length > 0) {
      this.#done++;
      this.#waiting.shift()?.();
    }
    // Tasks that are left, or that come meanwhile, are for the next turn.
    this.#isPlanned = this.#done === AT_ONCE;
  }

  #nextTurn(): void {
    this.#done = 0;
    this.#isPlanned = this.#waiting.length > 0;
    if (this.#isPlanned) this.#doSome();
  }
}

/** Pieces of work that are done before others have a turn: a few milliseconds of starting runs. */
const AT_ONCE = 10;

/**
 * Does work in the order in which it comes, as soon as the caller is through; but only so much in one
 * turn of the event loop: each start of a run makes actors, and the checks' actors must not wait.
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
    // One at a time: work that throws takes no other with it, the next turn goes on after it.
    while (this.#done < AT_ONCE && this.#waiting.length > 0) {
      this.#done++;
      this.#waiting.shift()?.();
    }
    // What is left, or comes once there is no room in this turn, is for the next one.
    this.#isPlanned = this.#done === AT_ONCE;
  }

  #nextTurn(): void {
    this.#done = 0;
    this.#isPlanned = this.#waiting.length > 0;
    if (this.#isPlanned) this.#doSome();
  }
}

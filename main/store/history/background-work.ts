/** Work that is done in the background, and is begun anew each time it is wanted. */
export type BackgroundTask = () => Iterator<void, void>;

/**
 * After each step the thread rests for so many times as long: work that goes on for minutes would take a core from the
 * runs, which then start late. Old results still go at some 9,000 a second.
 */
const REST_PER_STEP = 9;
/** So that steps that wait for a slow disk do not fall behind. */
const LONGEST_REST_MS = 100;

/**
 * Runs chores a step at a time, letting whatever else waits for the thread come in between. A chore
 * that is wanted while it runs is run once more afterwards.
 */
export class BackgroundWork<N extends string> {
  readonly #tasks: Record<N, BackgroundTask>;
  readonly #failed: (task: N, error: unknown) => void;
  readonly #wanted = new Set<N>();
  #current: { name: N; steps: Iterator<void, void> } | null = null;
  #isStopped = false;
  #next: NodeJS.Immediate | NodeJS.Timeout | undefined;

  /** @param failed hears of a chore that threw; it rests until it is wanted again */
  constructor(tasks: Record<N, BackgroundTask>, failed: (task: N, error: unknown) => void) {
    this.#tasks = tasks;
    this.#failed = failed;
  }

  want(name: N): void {
    this.#wanted.add(name);
    this.#schedule();
  }

  stop(): void {
    this.#wanted.clear();
    this.#current = null;
    this.#isStopped = true;
  }

  #schedule(restMs = 0): void {
    const go = () => {
      this.#next = undefined;
      this.#step();
    };
    this.#next ??= restMs < 1 ? setImmediate(go) : setTimeout(go, restMs);
  }

  #step(): void {
    if (this.#isStopped) return;
    const startedAt = performance.now();
    this.#current ??= this.#begin();
    if (!this.#current) return;
    const { name, steps } = this.#current;
    try {
      if (steps.next().done) this.#current = null;
    } catch (error) {
      this.#current = null;
      this.#failed(name, error);
    }
    const restMs = REST_PER_STEP * (performance.now() - startedAt);
    if (this.#current || this.#wanted.size > 0) this.#schedule(Math.min(restMs, LONGEST_REST_MS));
  }

  #begin(): { name: N; steps: Iterator<void, void> } | null {
    for (const name of this.#wanted) {
      this.#wanted.delete(name);
      return { name, steps: this.#tasks[name]() };
    }
    return null;
  }
}

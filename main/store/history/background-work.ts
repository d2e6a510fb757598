/** Work that is done in the background, and is begun anew each time it is wanted. */
export type BackgroundTask = () => Iterator<void, void>;

/**
 * Runs chores a step at a time, letting whatever else waits for the thread come in between. A chore
 * that is wanted while it runs is run once more afterwards.
 */
export class BackgroundWork<N extends string> {
  readonly #tasks: Record<N, BackgroundTask>;
  readonly #failed: (task: N, error: unknown) => void;
  readonly #wanted = new Set<N>();
  #current: { name: N; steps: Iterator<void, void> } | null = null;
  #next: NodeJS.Immediate | undefined;

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
    clearImmediate(this.#next);
  }

  #schedule(): void {
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      this.#step();
    });
  }

  #step(): void {
    this.#current ??= this.#begin();
    if (!this.#current) return;
    const { name, steps } = this.#current;
    try {
      if (steps.next().done) this.#current = null;
    } catch (error) {
      this.#current = null;
      this.#failed(name, error);
    }
    if (this.#current || this.#wanted.size > 0) this.#schedule();
  }

  #begin(): { name: N; steps: Iterator<void, void> } | null {
    for (const name of this.#wanted) {
      this.#wanted.delete(name);
      return { name, steps: this.#tasks[name]() };
    }
    return null;
  }
}

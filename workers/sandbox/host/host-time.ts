import { Refusal } from './refusal.ts';

/** Milliseconds that one script may have of the thread that all scripts of its host share. */
const MAX_MS = 1_000;
/** What a call and its texts cost that thread before our code begins (measured). */
const MS_PER_CALL = 0.005;
const CHARS_PER_MS = 1_000_000;

/** Processor time that this thread has used, in ms: a machine that is busy does not use up a script's. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** What one script has used of the thread that all scripts of its host share. */
export class HostTime {
  #usedMs = 0;

  spend(ms: number): void {
    this.#usedMs += ms;
  }

  /** Does what a script called for with so many characters. Throws {@link Refusal} when the time is used up. */
  spendOn<T>(chars: number, task: () => T): T {
    this.#usedMs += MS_PER_CALL + chars / CHARS_PER_MS;
    if (this.#usedMs > MAX_MS) {
      throw new Refusal('The script used up its time for hashes, random values, URLs and requests');
    }
    const from = threadMs();
    try {
      return task();
    } finally {
      this.#usedMs += threadMs() - from;
    }
  }
}

/** How the room and the clock of the history stand. */
export interface StorageState {
  /** What all of history takes in its file, and may take. */
  usedBytes: number;
  budgetBytes: number;
  /**
   * The clock now, and the last time that was believed, epoch ms, where the clock is so far ahead of it
   * that nothing is removed by it; else null.
   */
  doubt: { now: number; believedAt: number } | null;
}

/** From this part of the budget on it is said that the oldest results are to go. */
const NEARLY_FULL = 0.9;

const DAY_MS = 86_400_000;

/** What an operator is to know of it, in sentences; none where all is well. */
export function storageWarnings({ usedBytes, budgetBytes, doubt }: StorageState): string[] {
  const warnings: string[] = [];
  if (doubt) {
    const days = Math.round((doubt.now - doubt.believedAt) / DAY_MS);
    warnings.push(
      `The clock is ${days} days ahead of when Watchpost ran last: nothing is removed for its age until POST /app/storage/confirm-clock says that it is right.`,
    );
  }
  if (usedBytes >= NEARLY_FULL * budgetBytes) {
    const percent = Math.floor((100 * usedBytes) / budgetBytes);
    warnings.push(
      `The history takes ${percent} % of its room (WATCHPOST_HISTORY_MEGABYTES): where it takes more than all of it, the oldest results are removed.`,
    );
  }
  return warnings;
}

/** Below this part of the budget the next rise is news again: the size goes up and down a little. */
const CALM = NEARLY_FULL - 0.05;

/** Says to the log what an operator is to know of the storage: once, and again after it was over. */
export class StorageNotices {
  readonly #say: (message: string) => void;
  #wasDoubted = false;
  #level: 'calm' | 'nearly full' | 'full' = 'calm';

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  tell(state: StorageState): void {
    const isNews = [this.#isNewDoubt(state), this.#hasRisen(state)];
    if (isNews.includes(true)) for (const warning of storageWarnings(state)) this.#say(warning);
  }

  #isNewDoubt({ doubt }: StorageState): boolean {
    const isNew = doubt !== null && !this.#wasDoubted;
    this.#wasDoubted = doubt !== null;
    return isNew;
  }

  #hasRisen({ usedBytes, budgetBytes }: StorageState): boolean {
    const part = usedBytes / budgetBytes;
    const before = this.#level;
    if (part < CALM) this.#level = 'calm';
    else if (part > 1) this.#level = 'full';
    else if (part >= NEARLY_FULL && before === 'calm') this.#level = 'nearly full';
    return this.#level !== before && this.#level !== 'calm';
  }
}

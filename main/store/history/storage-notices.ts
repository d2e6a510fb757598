import { NEARLY_FULL, type StorageState, storageWarnings } from '../storage-state.ts';

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

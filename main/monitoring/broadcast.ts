import { inSlices } from '#main/platform/in-slices.ts';

/** Actors that are told in one turn: a few milliseconds. */
const AT_ONCE = 25;

/** Tells many checks' actors of one thing; all the others, and whoever asks, have their turn in between. */
export class Broadcast {
  readonly #failed: (checkId: string, error: unknown) => void;
  #isStopped = false;

  /** @param failed told of the check where telling it threw; the others are told all the same */
  constructor(failed: (checkId: string, error: unknown) => void) {
    this.#failed = failed;
  }

  /** Resolves when all are told, or at the stop; never rejects. */
  async to(checkIds: readonly string[], tell: (checkId: string) => void): Promise<void> {
    for await (const some of inSlices(checkIds, AT_ONCE)) {
      if (this.#isStopped) return;
      for (const checkId of some) this.#tellOne(checkId, tell);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  #tellOne(checkId: string, tell: (checkId: string) => void): void {
    try {
      tell(checkId);
    } catch (error) {
      this.#failed(checkId, error);
    }
  }
}

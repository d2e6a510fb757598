import { Yielding } from '#main/platform/yielding.ts';
import { clientGone } from '#main/services/heavy-requests.ts';

/** The pace of work that goes on only while its client waits for it. */
export class AwaitedPace extends Yielding {
  readonly #isGone: () => boolean;

  /** @param isGone whether the client hung up */
  constructor(isGone: () => boolean) {
    super();
    this.#isGone = isGone;
  }

  /** @throws ApiError 408 where the client hung up */
  override async rest(): Promise<void> {
    await super.rest();
    if (this.#isGone()) throw clientGone();
  }
}

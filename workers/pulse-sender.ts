import { threadId } from 'node:worker_threads';
import { PULSE_MS, type Pulse } from '#shared/runs/protocol.ts';

/**
 * Shows that this thread lives, while it has something to do: whoever hears nothing of a busy thread
 * knows that it hangs.
 */
export class PulseSender {
  readonly #send: (pulse: Pulse) => void;
  #works = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (pulse: Pulse) => void) {
    this.#send = send;
  }

  /** Sends pulses until the work is over, and a little longer, as more work often comes at once. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#works++;
    if (this.#timer === undefined) this.#begin();
    try {
      return await work();
    } finally {
      this.#works--;
    }
  }

  #begin(): void {
    this.#timer = setInterval(() => this.#beat(), PULSE_MS);
    this.#beat();
  }

  #beat(): void {
    const isBusy = this.#works > 0;
    this.#send({ threadId, isBusy });
    if (isBusy) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

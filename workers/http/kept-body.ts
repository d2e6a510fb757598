import type { RunFailure } from '#shared/runs/protocol.ts';
import type { BodyBudget } from '../net/body-budget.ts';
import type { ResponseHead } from './response-head.ts';

/** How much of a response body is worth keeping while it is read, by its head; 0 for nothing. */
export type KeepBytes = (head: ResponseHead) => number;

export const OUT_OF_BODY_MEMORY: RunFailure = {
  cause: 'INTERNAL',
  message:
    'This machine is reading so many large responses at once that its memory for them is used up',
};

const FIRST_BYTES = 1_024;

/**
 * The start of a body, in one buffer that grows: a target that sends it byte by byte costs no more
 * than one that sends it whole. Paid for from a budget; whoever makes one must `release` it.
 */
export class KeptBody {
  readonly #budget: BodyBudget;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Adds content up to `limit` bytes in all; false where the budget does not suffice. */
  add(content: Buffer, limit: number): boolean {
    const wanted = Math.min(limit, this.#length + content.length);
    if (wanted > this.#buffer.length && !this.#grow(wanted, limit)) return false;
    this.#length += content.copy(this.#buffer, this.#length, 0, wanted - this.#length);
    return true;
  }

  release(): void {
    this.#budget.give(this.#buffer.length);
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
  }

  #grow(wanted: number, limit: number): boolean {
    const size = Math.max(wanted, Math.min(limit, Math.max(FIRST_BYTES, this.#buffer.length * 2)));
    if (!this.#budget.reserve(size - this.#buffer.length)) return false;
    // Not from the shared pool: what is kept must not keep its neighbours.
    const grown = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }
}

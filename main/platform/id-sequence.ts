import { randomUUID } from 'node:crypto';

/** Id and time, epoch ms, of a notification that becomes pending. */
export interface NextId {
  /** UUIDv7 of `at`. */
  id: string;
  at: number;
}

/** A clock that is set back by no more than this is waited for; it is a correction, not a new time. */
const MAX_STEP_BACK_MS = 60_000;
/** So many ids have the same time; the next one is of the millisecond after it. */
const IDS_PER_MS = 0x1000;

/**
 * Gives ids that sort in the order in which they were given, also within a millisecond: UUIDv7 with
 * a counter in its first random bits (RFC 9562, 6.2, method 1). Pending notifications are read back in
 * the order of ids, so a channel sends them in this order. That holds across restarts, also where the
 * clock was set back by no more than a minute meanwhile: see {@link IdSequence.follow}.
 */
export class IdSequence {
  #at = 0;
  #count = 0;

  /** @param now epoch ms */
  next(now: number): NextId {
    const isNewTime = now > this.#at || this.#at - now > MAX_STEP_BACK_MS;
    if (isNewTime) this.#at = now;
    this.#count = isNewTime ? 0 : this.#count + 1;
    if (this.#count === IDS_PER_MS) {
      this.#at += 1;
      this.#count = 0;
    }
    return { id: idOf(this.#at, this.#count), at: this.#at };
  }

  /**
   * Gives ids from now on that sort after one that was given before, by an earlier process.
   *
   * @param now epoch ms; an id of a clock that was further ahead of it is not believed
   */
  follow(id: string, now: number): void {
    const at = timeOf(id);
    if (at < this.#at || at - now > MAX_STEP_BACK_MS) return;
    this.#at = at;
    this.#count = IDS_PER_MS - 1;
  }
}

/** The first 48 bits of a UUIDv7. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function idOf(at: number, count: number): string {
  const time = at.toString(16).padStart(12, '0');
  const order = count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}${randomUUID().slice(18)}`;
}

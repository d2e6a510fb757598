/**
 * The memory that all runs of a thread together may spend on response bodies. Without it two
 * thousand runs of 25 MB each would end the process, and with it every other check.
 */
export class BodyBudget {
  #freeBytes: number;

  constructor(bytes: number) {
    this.#freeBytes = bytes;
  }

  /** Takes so many bytes; false, and takes none, where there are not as many left. */
  reserve(bytes: number): boolean {
    if (bytes > this.#freeBytes) return false;
    this.#freeBytes -= bytes;
    return true;
  }

  /** Gives back what was taken. */
  give(bytes: number): void {
    this.#freeBytes += bytes;
  }
}

/**
 * Where time comes from. Machines and everything that waits take one, so that tests run on a
 * simulated clock. It is also the clock of the XState actor system.
 */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

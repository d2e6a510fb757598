import type { Clock } from '#shared/clock.ts';

/** The clock of an actor system: XState calls a clock's functions detached from it. */
export function actorClock(clock: Clock) {
  return {
    setTimeout: (callback: () => void, delayMs: number) => clock.setTimeout(callback, delayMs),
    clearTimeout: (handle: unknown) => clock.clearTimeout(handle),
  };
}

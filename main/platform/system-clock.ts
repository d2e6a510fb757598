import type { Clock } from '#shared/clock.ts';

/** The longest delay that a timer of Node takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Handle {
  cancel(): void;
}

/**
 * The machine's own clock. Delays may be longer than Node's timers allow (a heartbeat's year), or over already (a late
 * slot): then it is the turn of the callback right after what is going on.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => {
    const handle: Handle = { cancel: () => {} };
    arm(handle, callback, delayMs);
    return handle;
  },
  clearTimeout: (handle) => (handle as Handle | undefined)?.cancel(),
};

function arm(handle: Handle, callback: () => void, delayMs: number): void {
  if (delayMs <= 0) {
    const immediate = setImmediate(callback);
    handle.cancel = () => clearImmediate(immediate);
    return;
  }
  const rest = delayMs - LONGEST_TIMER_MS;
  const timer =
    rest > 0
      ? setTimeout(() => arm(handle, callback, rest), LONGEST_TIMER_MS)
      : setTimeout(callback, delayMs);
  handle.cancel = () => clearTimeout(timer);
}

import type { Clock } from '#shared/clock.ts';

/** The longest delay that a timer of Node takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Handle {
  timer: NodeJS.Timeout;
}

/** The machine's own clock. Delays may be longer than Node's timers allow (a heartbeat's year), or over already (a late slot). */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => {
    const handle: Partial<Handle> = {};
    arm(handle, callback, delayMs);
    return handle;
  },
  clearTimeout: (handle) => clearTimeout((handle as Handle | undefined)?.timer),
};

function arm(handle: Partial<Handle>, callback: () => void, delayMs: number): void {
  const rest = delayMs - LONGEST_TIMER_MS;
  handle.timer =
    rest > 0
      ? setTimeout(() => arm(handle, callback, rest), LONGEST_TIMER_MS)
      : setTimeout(callback, Math.max(0, delayMs));
}

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { HostHealthPorts } from './host-health.ts';

/** macOS counts memory as used that it would give up at once, so what is free says nothing there. */
const TELLS_FREE_MEMORY = process.platform !== 'darwin';

/** How this process does. Measures until it is closed. */
export function processHealth(
  isStoreFailing: () => boolean,
): Omit<HostHealthPorts, 'clock'> & Disposable {
  const delays = monitorEventLoopDelay();
  delays.enable();
  return {
    health() {
      const { used_heap_size, heap_size_limit } = getHeapStatistics();
      return {
        heapShare: used_heap_size / heap_size_limit,
        freeBytes: TELLS_FREE_MEMORY ? process.availableMemory() : null,
        isStoreFailing: isStoreFailing(),
      };
    },
    longestStandstillMs() {
      const longestMs = delays.max / 1e6;
      delays.reset();
      return longestMs;
    },
    [Symbol.dispose]: () => void delays.disable(),
  };
}

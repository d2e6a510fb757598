import { getHeapStatistics } from 'node:v8';
import { ClockWatch } from '#main/platform/clock-watch.ts';
import { LoopDelay } from '#main/platform/loop-delay.ts';
import type { Clock } from '#shared/clock.ts';
import {
  type Health,
  type OfflineReason,
  ownTrouble,
} from '#shared/self-monitoring/connectivity.ts';

/** Where host health is measured. */
export interface HostHealthPorts {
  clock: Clock;
  health(): Health;
  /** The longest that the event loop stood still since this was last asked, milliseconds. */
  longestStandstillMs(): number;
}

/** A standstill of 5 s makes runs time out whose targets have answered. */
const PACE = { tickMs: 1_000, toleranceMs: 5_000 };
/** After a wake the network takes a while, and runs that were cut in two end. */
const WAKE_MS = 20_000;

/** Watches the appliance itself: whether it slept, stands still, is out of memory, cannot store. */
export class HostHealth {
  readonly #ports: HostHealthPorts;
  readonly #onChange: (reasons: readonly OfflineReason[]) => void;
  readonly #clockWatch: ClockWatch;
  #timer: unknown;
  #standstill: { reason: 'ASLEEP' | 'BUSY'; until: number } | null = null;
  #told: readonly OfflineReason[] = [];

  /** @param onChange called with the reasons to be offline, whenever they change */
  constructor(ports: HostHealthPorts, onChange: (reasons: readonly OfflineReason[]) => void) {
    this.#ports = ports;
    this.#onChange = onChange;
    this.#clockWatch = new ClockWatch(ports.clock, (ms) => this.#noteJump(ms), PACE);
    this.#arm();
  }

  stop(): void {
    this.#clockWatch.stop();
    this.#ports.clock.clearTimeout(this.#timer);
  }

  /** Looks now: a result may come before the timer that would notice a standstill. */
  look(): void {
    this.#clockWatch.look();
  }

  /** A sleep stops the clock of the event loop as well, a standstill does not. */
  #noteJump(jumpedMs: number): void {
    const isBusy = this.#ports.longestStandstillMs() >= jumpedMs / 2;
    // A clock that was set back is no time in which anything was missed.
    if (jumpedMs < 0) return;
    const until = this.#ports.clock.now() + WAKE_MS;
    this.#standstill = { reason: isBusy ? 'BUSY' : 'ASLEEP', until };
    this.#tell();
  }

  #arm(): void {
    this.#timer = this.#ports.clock.setTimeout(() => {
      this.#arm();
      this.#tell();
    }, PACE.tickMs);
  }

  #tell(): void {
    if (this.#standstill && this.#ports.clock.now() >= this.#standstill.until) {
      this.#standstill = null;
    }
    const reasons = [
      ...(this.#standstill ? [this.#standstill.reason] : []),
      ...ownTrouble(this.#ports.health()),
    ];
    if (reasons.join() === this.#told.join()) return;
    this.#told = reasons;
    this.#onChange(reasons);
  }
}

/** macOS counts memory as used that it would give up at once, so what is free says nothing there. */
const TELLS_FREE_MEMORY = process.platform !== 'darwin';

/** Measures the health of this process until it is disposed of. */
export function processHealth(
  isStoreFailing: () => boolean,
): Omit<HostHealthPorts, 'clock'> & Disposable {
  const delay = new LoopDelay();
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
      const longestMs = delay.max * 1_000;
      delay.reset();
      return longestMs;
    },
    [Symbol.dispose]: () => delay.stop(),
  };
}

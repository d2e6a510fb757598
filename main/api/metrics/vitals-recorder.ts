import type { Monitor } from '#main/monitoring/monitor-port.ts';
import { LoopDelay } from '#main/platform/loop-delay.ts';
import type { VitalsPort } from '#main/self-monitoring/vitals-port.ts';
import type { Clock } from '#shared/clock.ts';
import type { VitalsSample } from '#shared/self-monitoring/vitals.ts';

interface VitalsParts {
  clock: Clock;
  monitor: Pick<Monitor, 'listen' | 'runCounts'>;
  dispatcher: { readonly inFlight: number };
  outbox: { readonly pending: number };
  history: { readonly writeLoad: { readonly waiting: number } };
}

const EVERY_MS = 10_000;
/** An hour. */
const MAX_SAMPLES = 360;
/** Of 10 seconds: beyond them the first ones stand for all. */
const MAX_LATENESSES = 5_000;

/** Notes every ten seconds how the appliance does, and holds the last hour of that. */
export class VitalsRecorder implements VitalsPort {
  readonly #parts: VitalsParts;
  readonly #startedAt: number;
  readonly #lag = new LoopDelay();
  readonly #samples: VitalsSample[] = [];
  readonly #stopListening: () => void;
  #timer: unknown;
  #latenesses: number[] = [];
  #runs = 0;
  #skippedBefore = 0;

  constructor(parts: VitalsParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#stopListening = parts.monitor.listen({
      result: ({ slot, attempts, startedAt }) => {
        this.#runs += 1;
        const isOnSchedule = slot !== null && attempts === 0;
        if (isOnSchedule && this.#latenesses.length < MAX_LATENESSES) {
          this.#latenesses.push(Math.max(0, startedAt - slot));
        }
      },
      heartbeat: () => {},
    });
    this.#arm();
  }

  read() {
    return { startedAt: this.#startedAt, everyMs: EVERY_MS, samples: [...this.#samples] };
  }

  stop(): void {
    this.#parts.clock.clearTimeout(this.#timer);
    this.#stopListening();
    this.#lag.stop();
  }

  #arm(): void {
    this.#timer = this.#parts.clock.setTimeout(() => {
      this.#arm();
      this.#note();
    }, EVERY_MS);
  }

  #note(): void {
    const { clock, monitor, dispatcher, outbox, history } = this.#parts;
    const skipped = Object.values(monitor.runCounts().skipped).reduce((sum, one) => sum + one, 0);
    this.#samples.push({
      at: clock.now(),
      runs: this.#runs,
      skipped: skipped - this.#skippedBefore,
      lateMs: percentile95(this.#latenesses),
      standstillMs: Math.round(this.#lag.max * 1e4) / 10,
      runsInFlight: dispatcher.inFlight,
      recordsWaiting: history.writeLoad.waiting,
      notificationsPending: outbox.pending,
      memoryBytes: process.memoryUsage.rss(),
    });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    this.#skippedBefore = skipped;
    this.#runs = 0;
    this.#latenesses = [];
    this.#lag.reset();
  }
}

function percentile95(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? null;
}

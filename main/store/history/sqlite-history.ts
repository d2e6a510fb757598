import type { Clock } from '#shared/clock.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { StoreError } from '../store-error.ts';
import type { StoreLog } from '../store-log.ts';
import type { RestingThread } from '../thread/resting-thread.ts';
import type { StoreThread } from '../thread/store-thread.ts';
import type { History } from './history.ts';
import type { HistoryReader } from './reader-thread.ts';
import type { KindUse } from './storage-meter.ts';
import { type QueueOptions, WriteQueue } from './write-queue.ts';
import type { Outcome } from './writer.ts';
import type { HistoryWriter } from './writer-thread.ts';

/** How often the appliance leaves word that it is alive. */
const STAMP_MS = 5_000;
/**
 * One stamp in so many, and the first, also has removed what is due: whatever a crash cut short goes
 * on at the start.
 */
const STAMPS_PER_SWEEP = 12;

/** Whoever probes within this time shares the answer. */
const PROBE_PACE_MS = 1_000;
/** The same of measurements, which read all of the file. */
const MEASURE_PACE_MS = 600_000;

/** The parts that a history stands on. */
export interface HistoryParts {
  writer: StoreThread<HistoryWriter>;
  reader: RestingThread<HistoryReader, unknown>;
  measure(): Promise<KindUse[]>;
  lastAliveAt: number | null;
  clock: Clock;
  log: StoreLog;
  queue?: QueueOptions | undefined;
}

/** The history in SQLite, as the main thread sees it: everything is done by its two threads. */
export function sqliteHistory(parts: HistoryParts): History {
  const { clock, lastAliveAt, log } = parts;
  const reader = parts.reader.calls;
  const writer = parts.writer.calls;
  const queue = new WriteQueue(
    (batch) => writer.write(batch),
    (outcome) => report(log, outcome),
    parts.queue,
  );
  const probe = new PacedProbe(clock, () => writer.stamp(clock.now()));
  const measurement = new PacedProbe(clock, parts.measure, MEASURE_PACE_MS);
  const upkeep = new Upkeep(parts);
  const watchers = new Set<(incidents: readonly StoredIncident[]) => void>();
  const alertWatchers = new Set<() => void>();
  let closing: Promise<void> | undefined;
  const close = async () => {
    upkeep.stop();
    await queue.close();
    await endThreads(parts);
  };
  return {
    ...reader,
    loadStates: async () => new Map(await reader.loadStates()),
    loadChannelStates: async () => new Map(await reader.loadChannelStates()),
    lastAliveAt: async () => lastAliveAt,
    write: async (records) => {
      await queue.write(records);
      if (records.incidents?.length) for (const tell of watchers) tell(records.incidents);
      if (records.alerts?.length || records.notifications?.length) {
        for (const tell of alertWatchers) tell();
      }
    },
    watchIncidents: (listener) => {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    watchAlerts: (listener) => {
      alertWatchers.add(listener);
      return () => alertWatchers.delete(listener);
    },
    writeLoad: queue,
    forget: (checkId) => writer.forget(checkId, clock.now()),
    probe: () => probe.ask(),
    measure: () => measurement.ask(),
    confirmClock: () => writer.confirmClock(clock.now()),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function endThreads({ writer, reader, clock, log }: HistoryParts): Promise<void> {
  try {
    await reader.end((calls) => calls.close());
    // Last: the connection that closes last takes the write-ahead log into the database.
    await writer.calls.close(clock.now());
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // What was written stays written; only the time of this stop is not known to the next start.
    log.warn({ err: error }, 'The history could not be closed in order.');
  } finally {
    await writer.end();
  }
}

/** Leaves word at a pace that the appliance is alive, and has removed what is due. */
class Upkeep {
  readonly #parts: HistoryParts;
  #timer: unknown;
  #stamps = 0;
  #stopped = false;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.#stamp();
  }

  stop(): void {
    this.#stopped = true;
    this.#parts.clock.clearTimeout(this.#timer);
  }

  #stamp(): void {
    const { clock, log } = this.#parts;
    const writer = this.#parts.writer.calls;
    const now = clock.now();
    const sweeps = this.#stamps % STAMPS_PER_SWEEP === 0;
    this.#stamps += 1;
    Promise.all([writer.stamp(now), sweeps && writer.sweep(now)]).catch((error) => {
      if (!this.#stopped) log.warn({ err: error }, 'The history could not be looked after.');
    });
    this.#timer = clock.setTimeout(() => this.#stamp(), STAMP_MS);
  }
}

function report(log: StoreLog, { refused, oversized }: Extract<Outcome, { kept: true }>): void {
  if (refused > 0) {
    log.warn({ refused }, 'Results were refused: they, or their slot, had been kept before.');
  }
  if (oversized > 0) {
    log.warn({ oversized }, 'Results were kept without their details, which are too large.');
  }
}

/** A question that costs a write, and that anybody may ask as often as they like: asked at a pace. */
export class PacedProbe<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #probe: () => Promise<T>;
  readonly #paceMs: number;
  #isFailed = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<T> | undefined;

  /** @param paceMs how long an answer is good; a failure is for a second */
  constructor(clock: Pick<Clock, 'now'>, probe: () => Promise<T>, paceMs = PROBE_PACE_MS) {
    this.#clock = clock;
    this.#probe = probe;
    this.#paceMs = paceMs;
  }

  /** Rejects as the probe does. */
  async ask(): Promise<T> {
    const now = this.#clock.now();
    // Either way: a clock that was set back keeps no old answer.
    const paceMs = this.#isFailed ? PROBE_PACE_MS : this.#paceMs;
    if (this.#answer === undefined || Math.abs(now - this.#askedAt) >= paceMs) {
      this.#askedAt = now;
      this.#isFailed = false;
      this.#answer = this.#probe();
      this.#answer.catch(() => {
        this.#isFailed = true;
      });
    }
    return this.#answer;
  }
}

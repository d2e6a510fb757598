import { PassingMap } from '#main/platform/passing-map.ts';
import type { Clock } from '#shared/clock.ts';
import { internalFailure } from '#shared/runs/internal-failure.ts';
import {
  type PoolName,
  RUN_SILENCE_MS,
  RUNNER_POOLS,
  type RunRequest,
  type RunResult,
} from '#shared/runs/protocol.ts';

/** What executes runs: the embedded pool today, agents at other locations later. */
export interface RunnerPool {
  /** The name that results show as `ranOn`. */
  readonly name: string;
  /** Hands over runs. Results arrive one by one through `onResults`. */
  run(requests: readonly RunRequest[]): void;
  onResults(listener: (results: readonly RunResult[]) => void): void;
  /** Tells of runs without a result that will have none, as their runner died. */
  onLost(listener: (runIds: readonly string[], reason: string) => void): void;
  /** Ends a run at once, if it is of a type that takes minutes and allows it; its result arrives all the same. */
  cancel(runId: string): void;
  /** Has runs end soon that would take minutes; their results say that the appliance stops. */
  endLongRuns(): Promise<void>;
  close(): Promise<void>;
}

/** Each makes the runs of some check types, so that neither waits for the other. */
export type RunnerPools = { readonly [P in PoolName]: RunnerPool };

interface Flight {
  request: RunRequest;
  handedOverAt: number;
  resolve(result: RunResult): void;
}

/** Runs of one turn go to the pool as one batch. */
const AFTER_THIS_TURN_MS = 0;
const SWEEP_MS = 1_000;

/**
 * Hands run requests to the pool of their type in batches. Every request comes back as exactly one result: where its
 * runner was lost, the result is inconclusive (`hasErrors`).
 */
export class Dispatcher {
  readonly #pools: RunnerPools;
  readonly #clock: Clock;
  readonly #flights = new PassingMap<string, Flight>();
  #batch: RunRequest[] = [];
  #sweep: unknown;

  constructor(pools: RunnerPools, clock: Clock) {
    this.#pools = pools;
    this.#clock = clock;
    for (const pool of Object.values(pools)) {
      pool.onResults((results) => {
        for (const result of results) this.#land(result);
      });
      pool.onLost((runIds, reason) => {
        for (const runId of runIds) this.#lose(runId, `The runner ended: ${reason}`);
      });
    }
  }

  /** Run requests without a result yet. */
  get inFlight(): number {
    return this.#flights.size;
  }

  /** The runner that serves a location: the embedded one serves all that no agent has claimed. */
  runnerOf(_location: string): string {
    return this.#pools.network.name;
  }

  run(request: RunRequest): Promise<RunResult> {
    return new Promise((resolve) => {
      this.#flights.set(request.runId, { request, handedOverAt: this.#clock.now(), resolve });
      if (this.#batch.push(request) === 1) {
        this.#clock.setTimeout(() => this.#handOver(), AFTER_THIS_TURN_MS);
      }
      this.#sweep ??= this.#clock.setTimeout(() => this.#sweepLost(), SWEEP_MS);
    });
  }

  /** Nobody wants a run any more: one that takes minutes ends soon, any other as it would have. */
  cancel(runId: string): void {
    const flight = this.#flights.get(runId);
    if (!flight) return;
    const pool = this.#pools[RUNNER_POOLS[flight.request.check.checkType]];
    // It may wait for its batch, which goes first.
    this.#clock.setTimeout(() => pool.cancel(runId), AFTER_THIS_TURN_MS);
  }

  /** The appliance stops: whoever waits for results waits seconds, never minutes. */
  async endLongRuns(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.endLongRuns()));
  }

  async close(): Promise<void> {
    this.#clock.clearTimeout(this.#sweep);
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()));
  }

  #handOver(): void {
    const batches = Map.groupBy(this.#batch, ({ check }) => RUNNER_POOLS[check.checkType]);
    this.#batch = [];
    for (const [name, batch] of batches) this.#runIn(this.#pools[name], batch);
  }

  #runIn(pool: RunnerPool, batch: readonly RunRequest[]): void {
    try {
      pool.run(batch);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      for (const { runId } of batch) this.#lose(runId, `It could not be handed over: ${reason}`);
    }
  }

  #land(result: RunResult): void {
    const flight = this.#flights.delete(result.runId);
    // A result that comes after its run was given up is dropped: the run has one already.
    if (!flight) return;
    flight.resolve(result);
  }

  #lose(runId: string, message: string): void {
    const flight = this.#flights.get(runId);
    if (!flight) return;
    const { request, handedOverAt } = flight;
    this.#land(internalFailure(request, this.#clock.now(), 'RUNNER_LOST', message, handedOverAt));
  }

  #sweepLost(): void {
    const now = this.#clock.now();
    for (const { request, handedOverAt } of this.#flights.values()) {
      if (now - handedOverAt > request.timeoutMs + RUN_SILENCE_MS) {
        this.#lose(request.runId, 'The runner did not answer in time.');
      }
    }
    this.#sweep =
      this.#flights.size > 0
        ? this.#clock.setTimeout(() => this.#sweepLost(), SWEEP_MS)
        : undefined;
  }
}

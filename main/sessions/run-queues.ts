import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import type { InTurns } from './in-turns.ts';
import { type QueuedRuns, runQueueMachine } from './run-queue.machine.ts';

interface RunQueuesParts {
  /** Starts a run; called in the order of the queue. */
  start(id: string): void;
  turns: InTurns;
  clock: Clock;
  log: Log;
}

type Queue = ActorRefFrom<typeof runQueueMachine>;

/** The queues that have something to order, each an actor, by their keys: a group's is one for all its sessions. */
export class RunQueues {
  readonly #parts: RunQueuesParts;
  readonly #queues = new Map<string, Queue>();
  /** The queue of each run by its id, until the run is over. */
  readonly #queueOf = new Map<string, Queue>();

  constructor(parts: RunQueuesParts) {
    this.#parts = parts;
  }

  /** How many queues there are. */
  get size(): number {
    return this.#queues.size;
  }

  /** Has more runs start, after those of the queue that wait; from now on at most so many at a time. */
  join(key: string, runs: QueuedRuns, concurrency: number): void {
    const queue = this.#queues.get(key) ?? this.#create(key);
    for (const id of runs.waiting) this.#queueOf.set(id, queue);
    for (const id of runs.underWay ?? []) this.#queueOf.set(id, queue);
    queue.send({ type: 'RUNS_JOINED', concurrency, ...runs });
  }

  isWaiting(id: string): boolean {
    return this.#queueOf.get(id)?.getSnapshot().context.waiting.has(id) ?? false;
  }

  /** Runs of one queue are cancelled: those that wait never start; others take room until they end. */
  leave(runIds: readonly string[]): void {
    const ids = runIds.filter((id) => this.isWaiting(id));
    const [first] = ids;
    const queue = first === undefined ? undefined : this.#queueOf.get(first);
    for (const id of ids) this.#queueOf.delete(id);
    queue?.send({ type: 'RUNS_LEFT', ids });
  }

  /** A run is over, so that the next one may start. */
  ended(id: string): void {
    const queue = this.#queueOf.get(id);
    if (!queue?.getSnapshot().context.underWay.has(id)) return;
    this.#queueOf.delete(id);
    queue.send({ type: 'RUN_ENDED', id });
  }

  #create(key: string): Queue {
    const { clock, log, turns } = this.#parts;
    // Runs start in later turns: a start makes actors, which an action of another actor cannot do.
    const start = (id: string) => turns.add(() => this.#start(id));
    const logic = runQueueMachine.provide({
      actions: { start: (_, { ids }) => ids.forEach(start) },
    });
    const queue = createActor(logic, { clock: actorClock(clock) });
    queue.subscribe({
      complete: () => this.#queues.delete(key),
      error: (err) => {
        log.error({ err }, 'A run queue failed; what waits in it never starts.');
        this.#queues.delete(key);
      },
    });
    this.#queues.set(key, queue);
    return queue.start();
  }

  /** One that cannot be started takes up no room: those that wait come after it all the same. */
  #start(id: string): void {
    try {
      this.#parts.start(id);
    } catch (err) {
      this.#parts.log.error({ err, id }, 'A run of a queue could not be started.');
      this.ended(id);
    }
  }
}

import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import type { InTurns } from './in-turns.ts';
import { runQueueMachine } from './run-queue.machine.ts';

interface RunQueueParts {
  /** Has a member start; called in their order. */
  start(id: string): void;
  turns: InTurns;
  clock: Clock;
  log: Log;
}

/** Members by their ids, each in the order in which they start. */
export interface Members {
  waiting: readonly string[];
  /** Under way since before a restart. */
  underWay?: readonly string[];
}

/** Members by their ids, and the actor that says when the next ones start. */
export class RunQueue {
  readonly #parts: RunQueueParts;
  readonly #actor: ActorRefFrom<typeof runQueueMachine>;
  /** In the order in which they start: a set may lose thousands from anywhere, an array may not. */
  readonly #waiting = new Set<string>();
  /** Goes on where it was, for whoever it has passed waits no more. Never asked when nobody waits. */
  readonly #next = this.#waiting.values();
  readonly #underWay = new Set<string>();

  constructor(parts: RunQueueParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    const logic = runQueueMachine.provide({
      actions: { start: (_, { count }) => this.#start(count) },
    });
    this.#actor = createActor(logic, { clock: actorClock(clock), input: { concurrency: 1 } });
    this.#actor.subscribe({
      error: (error) => log.error({ err: error }, 'A batch failed; what waits in it never starts.'),
    });
    this.#actor.start();
  }

  /** Whether every member is over. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#underWay.size === 0;
  }

  /** Has more members start, after those that wait; from now on at most so many at a time. */
  join({ waiting, underWay = [] }: Members, concurrency: number): void {
    for (const id of waiting) this.#waiting.add(id);
    for (const id of underWay) this.#underWay.add(id);
    const counts = { waiting: waiting.length, underWay: underWay.length };
    this.#actor.send({ type: 'MEMBERS_JOINED', concurrency, ...counts });
  }

  /** A member is over: one that waits never starts, one under way takes up room until it ended. */
  left(id: string): void {
    if (this.#waiting.delete(id)) this.#actor.send({ type: 'MEMBER_LEFT' });
  }

  /** The run of a member is over. */
  ended(id: string): void {
    if (this.#underWay.delete(id)) this.#actor.send({ type: 'MEMBER_ENDED' });
  }

  #start(count: number): void {
    for (let started = 0; started < count && this.#waiting.size > 0; started++) {
      const id = String(this.#next.next().value);
      this.#waiting.delete(id);
      this.#underWay.add(id);
      // In a turn of its own: a start makes actors, which nobody may inside an action of another.
      this.#parts.turns.add(() => this.#startOne(id));
    }
  }

  /** One that cannot be started takes up no room: those that wait come after it all the same. */
  #startOne(id: string): void {
    try {
      this.#parts.start(id);
    } catch (error) {
      this.#parts.log.error({ err: error, id }, 'A member of a batch could not be started.');
      this.ended(id);
    }
  }
}

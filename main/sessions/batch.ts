import { type ActorRefFrom, createActor } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import { actorClock } from '../actors/actor-clock.ts';
import type { Log } from '../log.ts';
import { batchMachine } from './batch.machine.ts';
import type { InTurns } from './in-turns.ts';

export interface BatchParts {
  /** How many members are under way at a time; at least 1. */
  concurrency: number;
  /** Has a member start; called in their order. */
  start(id: string): void;
  turns: InTurns;
  clock: Clock;
  log: Log;
}

/** The members of one trigger by their ids, and the actor that says when the next ones start. */
export class Batch {
  readonly #parts: BatchParts;
  /** In the order in which they start. */
  readonly #waiting = new Set<string>();
  /** Goes through those that wait once, also as they become fewer. */
  readonly #next = this.#waiting.values();
  readonly #underWay = new Set<string>();
  #actor: ActorRefFrom<typeof batchMachine> | undefined;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /** Takes in a member, before {@link begin}. */
  add(id: string, { isUnderWay = false } = {}): void {
    (isUnderWay ? this.#underWay : this.#waiting).add(id);
  }

  begin(): void {
    const { concurrency, clock, log } = this.#parts;
    const logic = batchMachine.provide({
      actions: { start: (_, { count }) => this.#start(count) },
    });
    const input = { concurrency, waiting: this.#waiting.size, underWay: this.#underWay.size };
    this.#actor = createActor(logic, { clock: actorClock(clock), input });
    this.#actor.subscribe({
      error: (error) => log.error({ err: error }, 'A batch failed; what waits in it never starts.'),
    });
    this.#actor.start();
  }

  /** A member is over, whether it had its turn or not. */
  ended(id: string): void {
    if (this.#underWay.delete(id)) this.#actor?.send({ type: 'MEMBER_ENDED' });
    else if (this.#waiting.delete(id)) this.#actor?.send({ type: 'MEMBER_LEFT' });
  }

  #start(count: number): void {
    for (let started = 0; started < count; started++) {
      const id = this.#next.next().value;
      if (id === undefined) return;
      this.#waiting.delete(id);
      this.#underWay.add(id);
      // In a turn of its own: a start makes actors, which nobody may inside an action of another.
      this.#parts.turns.add(() => this.#parts.start(id));
    }
  }
}

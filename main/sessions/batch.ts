import { type ActorRefFrom, createActor } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import { actorClock } from '../actors/actor-clock.ts';
import type { Log } from '../log.ts';
import { type BatchInput, batchMachine } from './batch.machine.ts';

export type BatchActor = ActorRefFrom<typeof batchMachine>;

/** Members that start in one turn: each start makes actors, and the checks' actors must not wait. */
const STARTED_AT_ONCE = 20;

interface BatchPorts {
  /** Has a member started; called in their order. */
  start(id: string): void;
  clock: Clock;
  log: Log;
}

/** The actor of a batch, not started yet: its members must know it first. */
export function createBatch(input: BatchInput, { start, clock, log }: BatchPorts): BatchActor {
  const waiting: string[] = [];
  const startSome = () => {
    const next = waiting.splice(0, STARTED_AT_ONCE);
    if (waiting.length > 0) setImmediate(startSome);
    next.forEach(start);
  };
  const logic = batchMachine.provide({
    actions: {
      // In a turn of its own: a start makes actors, which nobody may inside an action of another.
      start: (_, { ids }) => {
        if (waiting.length === 0) queueMicrotask(startSome);
        waiting.push(...ids);
      },
    },
  });
  const batch = createActor(logic, { clock: actorClock(clock), input });
  batch.subscribe({
    error: (error) => log.error({ err: error }, 'A batch failed; what waits in it never starts.'),
  });
  return batch;
}

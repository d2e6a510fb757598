import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { Connectivity } from '#main/self-monitoring/connectivity-port.ts';
import type { KeptState } from '#main/store/history/history.ts';
import type { Check, HeartbeatCheck } from '#shared/checks/check.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import type { Clock } from '#shared/clock.ts';
import { heartbeatMachine } from './heartbeat.machine.ts';
import type { HeartbeatRecord } from './heartbeat-context.ts';
import { type Ping, StoreBusy } from './monitor-port.ts';
import { persistedHeartbeatState } from './persisted-state.ts';
import type { Recorder } from './recorder.ts';

interface HeartbeatActorsParts {
  recorder: Recorder;
  connectivity: Pick<Connectivity, 'doubt' | 'wasOffline'>;
  clock: Clock;
  /** Whether maintenance pauses a check at a moment, epoch ms. */
  isPaused(check: Check, at: number): boolean;
  /** Called when an actor failed by a fault of our code: it has stopped. */
  failed(checkId: string, error: unknown): void;
}

export type HeartbeatActor = ActorRefFrom<typeof heartbeatMachine>;

/** Makes the actors of heartbeats and provides the ports of their machine: it writes pings and misses. */
export class HeartbeatActors {
  readonly #parts: HeartbeatActorsParts;
  readonly #logic: typeof heartbeatMachine;

  constructor(parts: HeartbeatActorsParts) {
    this.#parts = parts;
    const { recorder, connectivity, isPaused } = parts;
    this.#logic = heartbeatMachine.provide({
      actions: {
        recordPing: (_, { fact, reply }) => reply(fact.state, this.#writePing(fact)),
        raiseDoubt: (_, { checkId }) => connectivity.doubt(checkId),
        recordMiss: (_, fact) => void this.#write(fact),
        recordGap: (_, gap) => recorder.writeState(gap.checkId, {}, [gap]),
      },
      guards: {
        isPaused: (_, { check, at }) => isPaused(check, at),
        isUnseen: (_, { from, to }) => connectivity.wasOffline(from, to),
      },
    });
  }

  /** An actor that continues from its persisted state, not started. */
  make(check: HeartbeatCheck, kept: KeptState | undefined): HeartbeatActor {
    const { clock, failed } = this.#parts;
    const input = { check, clock, memory: persistedHeartbeatState(check, kept, clock.now()) };
    const actor = createActor(this.#logic, { clock: actorClock(clock), input });
    actor.subscribe({ error: (error) => failed(check.id, error) });
    return actor;
  }

  /**
   * Resolves with the state of a ping once it is written.
   * @throws StoreBusy where it cannot be written now
   */
  async ping(actor: HeartbeatActor, ping: Ping): Promise<HeartbeatState> {
    const at = this.#parts.clock.now();
    const { promise, resolve } = Promise.withResolvers<{
      state: HeartbeatState;
      kept: Promise<void>;
    }>();
    const reply = (state: HeartbeatState, kept: Promise<void>) => resolve({ state, kept });
    actor.send({ type: 'PING', at, ...ping, reply });
    const { state, kept } = await promise;
    await kept;
    return state;
  }

  async #writePing(fact: HeartbeatRecord): Promise<void> {
    if (!(await this.#write(fact))) throw new StoreBusy();
  }

  #write({ check, state, at, source, userAgent, memory }: HeartbeatRecord): Promise<boolean> {
    const id = uuidAt(at);
    const event = { id, checkId: check.id, state, timestamp: at, source, userAgent };
    return this.#parts.recorder.heartbeat(event, { ...memory });
  }
}

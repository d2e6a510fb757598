import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import type { ChannelHealth } from '#shared/notifications/channel-state.ts';
import { deliveryMachine } from './delivery.machine.ts';
import type { DeliveryInput } from './delivery-port.ts';
import type { DeliveryEvent } from './delivery-setup.ts';

interface ActorParts {
  clock: Clock;
  log: Log;
  /** The input of the actor of a channel. */
  inputOf(channelId: string): DeliveryInput;
  /** Called when the actor of a channel failed: its notifications are to be read again. */
  lost(channelId: string): void;
}

type ChannelActor = ActorRefFrom<typeof deliveryMachine>;

/** How long a stop waits for the sends under way. */
const DRAIN_MS = 5_000;

/** An actor for each channel that ever had something pending; none delays another. */
export class ChannelActors {
  readonly #parts: ActorParts;
  readonly #actors = new Map<string, ChannelActor>();
  #allStopped = () => {};

  constructor(parts: ActorParts) {
    this.#parts = parts;
  }

  /** Starts the actor where there is none yet. */
  send(channelId: string, event: DeliveryEvent): void {
    const actor = this.#actors.get(channelId) ?? this.#start(channelId);
    actor.send(event);
  }

  /** An event for a channel without an actor is dropped: it has nothing to send. */
  sendIfThere(channelId: string, event: DeliveryEvent): void {
    this.#actors.get(channelId)?.send(event);
  }

  sendAll(event: DeliveryEvent): void {
    for (const actor of this.#actors.values()) actor.send(event);
  }

  /** Undefined where there is no actor. */
  healthOf(channelId: string): ChannelHealth | undefined {
    return this.#actors.get(channelId)?.getSnapshot().context.health;
  }

  /** How many channels are unhealthy. */
  countDead(): number {
    const channelIds = [...this.#actors.keys()];
    return channelIds.filter((id) => this.healthOf(id)?.dead != null).length;
  }

  /** Waits a while for the sends under way. */
  async stop(): Promise<void> {
    const { clock } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, DRAIN_MS);
    this.#allStopped = resolve;
    this.sendAll({ type: 'STOP' });
    if (this.#actors.size > 0) await promise;
    clock.clearTimeout(timer);
    for (const actor of this.#actors.values()) actor.stop();
  }

  #start(channelId: string): ChannelActor {
    const { clock, inputOf } = this.#parts;
    const input = inputOf(channelId);
    const actor = createActor(deliveryMachine, { clock: actorClock(clock), input });
    this.#actors.set(channelId, actor);
    actor.subscribe({
      complete: () => this.#close(channelId),
      error: (error) => this.#lose(channelId, error),
    });
    return actor.start();
  }

  #close(channelId: string): void {
    this.#actors.delete(channelId);
    if (this.#actors.size === 0) this.#allStopped();
  }

  #lose(channelId: string, error: unknown): void {
    const { log, lost } = this.#parts;
    log.error({ err: error, channelId }, 'The actor of an alert channel failed.');
    this.#close(channelId);
    lost(channelId);
  }
}

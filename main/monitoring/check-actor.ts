import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Clock } from '#shared/clock.ts';
import type { checkMachine } from './check.machine.ts';
import {
  type CheckContext,
  type CheckEvent,
  type CheckInput,
  contextOf,
  type FollowedRun,
} from './check-context.ts';
import { idleUntil } from './check-slots.ts';

/** A check with nothing to do for longer than this sleeps: making an actor anew costs as much as some events. */
const SLEEPS_FROM_MS = 60_000;
/** How long before its slot a check wakes, so that the slot waits for nothing. */
const WAKES_BEFORE_MS = 500;

type Ref = ActorRefFrom<typeof checkMachine>;

/** What a check goes on from when it wakes. */
type Remembered = Pick<CheckInput, 'check' | 'memory'>;

interface CheckActorParts {
  logic: typeof checkMachine;
  clock: Clock;
  /** Called when an actor failed by a fault of our code: it has stopped. */
  failed(checkId: string, error: unknown): void;
}

/**
 * The actor of a check, which is there only while something happens soon: of a check that sleeps only its
 * record, a few numbers and a timer are held. Any event wakes it.
 */
export class CheckActor {
  readonly #parts: CheckActorParts;
  #remembered: Remembered;
  #ref: Ref | null = null;
  #timer: unknown;
  #isStopped = false;

  constructor(parts: CheckActorParts, remembered: Remembered) {
    this.#parts = parts;
    this.#remembered = remembered;
  }

  start(): void {
    const { clock } = this.#parts;
    const until = idleUntil(contextOf({ ...this.#remembered, clock }));
    if (this.#isFar(until)) this.#wakeBefore(until);
    else this.#wake();
  }

  /** An event for an actor that has ended is dropped. */
  send(event: CheckEvent): void {
    if (this.#isStopped) return;
    const ref = this.#ref ?? this.#wake();
    ref.send(event);
  }

  stop(): void {
    this.#isStopped = true;
    this.#parts.clock.clearTimeout(this.#timer);
    this.#ref?.stop();
  }

  get isAsleep(): boolean {
    return this.#ref === null;
  }

  /** The runs that wait for their turn. */
  get orders(): readonly FollowedRun[] {
    return this.#ref?.getSnapshot().context.orders ?? [];
  }

  #wake(): Ref {
    const { logic, clock, failed } = this.#parts;
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const ref = createActor(logic, {
      clock: actorClock(clock),
      input: { ...this.#remembered, clock },
    });
    this.#ref = ref;
    const { id } = this.#remembered.check;
    ref.subscribe({
      next: ({ value, context }) => {
        if (value !== 'asleep' && (value !== 'waiting' || !this.#isFar(context.slot))) return;
        // Not at once: what the machine was sent while it came here is still to be heard.
        queueMicrotask(() => this.#doze(ref));
      },
      error: (error) => failed(id, error),
    });
    ref.start();
    return ref;
  }

  /** Lets the actor go, unless it has something to do again. */
  #doze(ref: Ref): void {
    const { status, value, context } = ref.getSnapshot();
    if (ref !== this.#ref || status !== 'active' || value === 'running') return;
    const until = idleUntil(context);
    if (!this.#isFar(until)) return;
    this.#ref = null;
    this.#remembered = remember(context);
    ref.stop();
    this.#wakeBefore(until);
  }

  #isFar(until: number): boolean {
    return until - this.#parts.clock.now() > SLEEPS_FROM_MS;
  }

  /** @param until epoch ms; infinite where only an event wakes it */
  #wakeBefore(until: number): void {
    if (this.#isStopped || until === Number.POSITIVE_INFINITY) return;
    const { clock } = this.#parts;
    const delayMs = until - clock.now() - WAKES_BEFORE_MS;
    this.#timer = clock.setTimeout(() => this.#wake(), delayMs);
  }
}

function remember({ check, ...context }: CheckContext): Remembered {
  const { lastSlot, newestSlot, fresh, lastLocation, interrupted } = context;
  return { check, memory: { lastSlot, newestSlot, fresh, lastLocation, interrupted } };
}

import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { SkippedSlots } from '#main/store/history/history.ts';
import { isTooLate } from '#shared/checks/schedule.ts';
import type { Clock } from '#shared/clock.ts';
import type { checkMachine } from './check.machine.ts';
import {
  type CheckContext,
  type CheckEvent,
  type CheckInput,
  contextOf,
  type FollowedRun,
  type MachineMemory,
  type RunOutcome,
  type RunUnderWay,
} from './check-context.ts';
import type { CheckPorts } from './check-ports.ts';
import {
  idleUntil,
  overlapped,
  overloaded,
  paused,
  runOf,
  sleptThrough,
  slotsMissed,
  slotTaken,
  stateOfBegin,
} from './check-slots.ts';

type Ref = ActorRefFrom<typeof checkMachine>;

/** What a check goes on from. */
type Remembered = Pick<CheckInput, 'check' | 'memory'>;

interface CheckActorParts {
  ports: CheckPorts;
  /** The machine with these ports. */
  logic: typeof checkMachine;
  clock: Clock;
  /** Called when an actor failed by a fault of our code: it has stopped. */
  failed(checkId: string, error: unknown): void;
}

/**
 * The actor of a check. Of one that awaits its slot only its record, a few numbers and a timer are held, and it runs
 * that slot, or skips it, by the rules of the machine alone. An actor of the machine is made for whatever else happens,
 * as an event or a first run, and let go once the check awaits a slot again.
 */
export class CheckActor {
  readonly #parts: CheckActorParts;
  #remembered: Remembered;
  #ref: Ref | null = null;
  #timer: unknown;
  /** The slot awaited by the timer, epoch ms. */
  #slot = 0;
  /** The run of a slot, which began without the machine. */
  #underWay: RunUnderWay | null = null;
  #isStopped = false;

  constructor(parts: CheckActorParts, remembered: Remembered) {
    this.#parts = parts;
    // Where nothing is known of its slots, they count from now on.
    this.#remembered = remember(contextOf({ ...remembered, clock: parts.clock }));
  }

  start(): void {
    const context = this.#context();
    if (this.#canSleep(context)) this.#sleepUntil(idleUntil(context));
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

  /** Whether there is no actor of the machine. */
  get isAsleep(): boolean {
    return this.#ref === null;
  }

  /** The runs that wait for their turn. */
  get orders(): readonly FollowedRun[] {
    return this.#ref?.getSnapshot().context.orders ?? [];
  }

  #context(): CheckContext {
    const { clock } = this.#parts;
    return contextOf({ ...this.#remembered, clock, underWay: this.#underWay });
  }

  /** Whether a check that runs nothing has to await its next slot, and no more. */
  #canSleep(context: CheckContext): boolean {
    const isNew = context.fresh && context.check.activated;
    return !isNew && idleUntil(context) > this.#parts.clock.now();
  }

  /** @param slot epoch ms; infinite where only an event wakes it */
  #sleepUntil(slot: number): void {
    this.#slot = slot;
    if (this.#isStopped || slot === Number.POSITIVE_INFINITY) return;
    const { clock } = this.#parts;
    this.#timer = clock.setTimeout(() => this.#takeSlot(), slot - clock.now());
  }

  /** What the machine does at a slot. */
  #takeSlot(): void {
    const { ports, clock } = this.#parts;
    const now = clock.now();
    const context = { ...this.#context(), slot: this.#slot };
    // A timer may fire a hair before its time, or after the clock was set back.
    if (now < this.#slot) this.start();
    else if (isTooLate(this.#slot, now)) this.#passOver(sleptThrough(context));
    else if (ports.isPaused(context.check)) this.#passOver(paused(context));
    else if (ports.isSkippedInOverload(context.check, this.#slot))
      this.#passOver(overloaded(context));
    else this.#runSlot(context);
  }

  #passOver(skipped: SkippedSlots): void {
    this.#parts.ports.countSkipped(skipped);
    this.#goOn({ lastSlot: skipped.toSlot });
  }

  #goOn(changed: Partial<MachineMemory>): void {
    const { check, memory } = this.#remembered;
    this.#remembered = { check, memory: { ...memory, ...changed } };
    this.start();
  }

  #runSlot(context: CheckContext): void {
    const { ports } = this.#parts;
    const { check } = context;
    const begun = { ...context, ...slotTaken(context) };
    this.#remembered = remember(begun);
    ports.remember(check.id, stateOfBegin(begun));
    const underWay = { keptSlot: begun.keptSlot, outcome: ports.carryOut(runOf(begun)) };
    this.#underWay = underWay;
    underWay.outcome.then(
      (outcome) => this.#finish(underWay, outcome),
      (error) => this.#fail(underWay, error),
    );
  }

  /** What the machine does when a run is over. */
  #finish(run: RunUnderWay, { lastLocation }: RunOutcome): void {
    if (run !== this.#underWay || this.#isStopped) return;
    this.#underWay = null;
    const context = this.#context();
    if (slotsMissed(context) > 0) {
      const missed = overlapped(context);
      this.#parts.ports.countSkipped(missed);
      this.#goOn({ lastLocation, lastSlot: missed.toSlot });
    } else this.#goOn({ lastLocation });
  }

  #fail(run: RunUnderWay, error: unknown): void {
    if (run !== this.#underWay || this.#isStopped) return;
    this.#parts.failed(this.#remembered.check.id, error);
  }

  #wake(): Ref {
    const { logic, clock, failed } = this.#parts;
    clock.clearTimeout(this.#timer);
    const input = { ...this.#remembered, clock, underWay: this.#underWay };
    const ref = createActor(logic, { clock: actorClock(clock), input });
    this.#ref = ref;
    this.#underWay = null;
    const { id } = this.#remembered.check;
    ref.subscribe({
      next: ({ value }) => {
        // Not at once: what the machine was sent while it came here is still to be heard.
        if (value !== 'running') queueMicrotask(() => this.#doze(ref));
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
    if (!this.#canSleep(context)) return;
    this.#ref = null;
    this.#remembered = remember(context);
    ref.stop();
    this.#sleepUntil(idleUntil(context));
  }
}

function remember({ check, ...context }: CheckContext): Remembered {
  const { lastSlot, newestSlot, fresh, lastLocation, interrupted } = context;
  return { check, memory: { lastSlot, newestSlot, fresh, lastLocation, interrupted } };
}

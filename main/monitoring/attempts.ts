import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Clock } from '#shared/clock.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import { judge } from './attempt-outcome.ts';
import type { SequenceState } from './persisted-state.ts';
import { type AttemptsPort, retriesMachine } from './retries.machine.ts';

interface AttemptsParts {
  strategy: RetryStrategy | null;
  clock: Clock;
  port: AttemptsPort;
}

/**
 * The attempts at one location, up to its FINAL result. The first is made here, and the machine of the
 * retries only where it asks for one: nearly all runs need none, and an actor was a third of their cost.
 */
export class Attempts {
  readonly #parts: AttemptsParts;
  readonly #sequence: SequenceState;
  readonly #over = Promise.withResolvers<void>();
  #retries: ActorRefFrom<typeof retriesMachine> | undefined;
  #isCancelled = false;
  #isDraining = false;
  #isStopped = false;

  constructor(sequence: SequenceState, parts: AttemptsParts) {
    this.#sequence = sequence;
    this.#parts = parts;
  }

  /** Resolves once nothing more comes of it; rejects only where our own code fails. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  begin(): void {
    if (this.#sequence.dueAt !== null) this.#retry(this.#sequence);
    else this.#attemptFirst().catch(this.#over.reject);
  }

  /** No further attempt is made; one under way is the last. */
  cancel(): void {
    this.#isCancelled = true;
    this.#retries?.send({ type: 'CANCEL' });
  }

  /** An attempt under way is the last; a wait goes on after the restart. */
  drain(): void {
    this.#isDraining = true;
    this.#leaveWait();
  }

  /** Whatever still comes is nobody's. */
  stop(): void {
    this.#isStopped = true;
    this.#retries?.stop();
    this.#over.resolve();
  }

  async #attemptFirst(): Promise<void> {
    const { port, strategy } = this.#parts;
    const result = await port.attempt(this.#sequence);
    if (this.#isStopped) return;
    const judged = judge(result, {
      sequence: this.#sequence,
      strategy,
      cancelled: this.#isCancelled,
      nextLocation: (location) => port.nextLocation(location),
    });
    port.keep(judged);
    if (judged.sequence.settled || this.#isDraining) this.#over.resolve();
    else this.#retry(judged.sequence);
  }

  #retry(sequence: SequenceState): void {
    const { clock } = this.#parts;
    const input = { sequence, ...this.#parts };
    this.#retries = createActor(retriesMachine, { clock: actorClock(clock), input });
    this.#retries.subscribe({
      next: () => this.#isDraining && this.#leaveWait(),
      complete: this.#over.resolve,
      error: this.#over.reject,
    });
    this.#retries.start();
  }

  #leaveWait(): void {
    if (this.#retries?.getSnapshot().matches('backingOff')) this.stop();
  }
}

import { randomUUID } from 'node:crypto';
import { type ActorRefFrom, createActor } from 'xstate';
import { CHECK_KINDS } from '#shared/check/check.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import { countedCertificate } from '#shared/rules/alert/counted-certificate.ts';
import { withoutBlameForSleep } from '#shared/rules/asleep.ts';
import { groupOf } from '#shared/rules/group.ts';
import { locationAfter, locationsOf } from '#shared/rules/locations.ts';
import { longestRunMs, type RetryStrategy, retryStrategyOf } from '#shared/rules/retry.ts';
import { RUN_TIMEOUT_MS, type RunResult } from '#shared/run/protocol.ts';
import type { FinishedRun } from '../alerts/alert-port.ts';
import { scopeOf } from '../scope/run-scope.ts';
import { actorClock } from './actor-clock.ts';
import { type AttemptsPort, attemptsMachine, type JudgedAttempt } from './attempts.machine.ts';
import type { CheckRun } from './check-context.ts';
import type { CheckMemory, SequenceMemory } from './memory.ts';
import { RunFinals } from './run-finals.ts';
import type { RunnerParts } from './run-port.ts';
import { scopeSources } from './scope-sources.ts';
import { uuidAt } from './uuid-at.ts';

type AttemptsActor = ActorRefFrom<typeof attemptsMachine>;

/** One run of a check: the attempts at each location that is due, to one FINAL result each. */
export class RunUnderWay implements AttemptsPort {
  readonly #parts: RunnerParts;
  readonly #run: CheckRun;
  readonly #strategy: RetryStrategy | null;
  readonly #checkRunId: number;
  readonly #lastLocation: string | null;
  /** Ids that scripts and templates of the attempt under way may have read, by sequence. */
  readonly #promised = new Map<string, Pick<StoredResult, 'id' | 'createdAt'>>();
  readonly #sequences: Map<string, SequenceMemory>;
  readonly #actors = new Set<AttemptsActor>();
  readonly #finals = new RunFinals();
  readonly #done = Promise.withResolvers<{ lastLocation: string | null }>();
  /** The last slot that was counted since the run began; null before there is one. */
  #passedOverTo: number | null = null;
  #isDraining = false;
  #isAbandoned = false;
  #isCancelled = false;

  constructor(parts: RunnerParts, run: CheckRun) {
    this.#parts = parts;
    this.#run = run;
    const { interrupted, lastLocation } = run.memory;
    const override = run.ordered?.order.overrides.location;
    const due = override
      ? { run: [override], last: lastLocation }
      : locationsOf(run.check, lastLocation);
    const sequences = interrupted?.sequences ?? due.run.map(newSequence);
    this.#sequences = new Map(sequences.map((sequence) => [sequence.id, sequence]));
    this.#checkRunId = interrupted?.checkRunId ?? parts.clock.now();
    this.#lastLocation = interrupted ? lastLocation : due.last;
    this.#strategy = this.#chooseStrategy();
  }

  /** Resolves once every location has its FINAL result, or will have none. */
  async carryOut(): Promise<{ lastLocation: string | null }> {
    this.#tellStarted();
    const open = [...this.#sequences.values()].filter(({ settled }) => !settled);
    for (const sequence of open) this.#begin(sequence);
    if (open.length === 0) this.#end();
    const output = await this.#done.promise;
    if (!this.#isAbandoned && !this.#isDraining) this.#tellEnded();
    return output;
  }

  /** No further attempt is made; one under way is the last. */
  cancel(): void {
    this.#isCancelled = true;
    for (const actor of this.#actors) actor.send({ type: 'CANCEL' });
  }

  /** Slots up to this one were counted: a restart is not to count them again. */
  passOver(toSlot: number): void {
    this.#passedOverTo = toSlot;
  }

  /** The check is gone: whatever still comes is nobody's. */
  abandon(how: 'cancelled' | 'deleted'): void {
    if (this.#isAbandoned) return;
    this.#isAbandoned = true;
    for (const actor of this.#actors) actor.stop();
    this.#actors.clear();
    this.#run.ordered?.follower.ended(how);
    this.#end();
  }

  /** The appliance stops: attempts under way are kept, waits go on after the restart. */
  drain(): Promise<unknown> {
    this.#isDraining = true;
    for (const actor of this.#actors) this.#leaveWaiting(actor);
    return this.#done.promise;
  }

  #begin(sequence: SequenceMemory): void {
    const { clock } = this.#parts;
    const input = { sequence, strategy: this.#strategy, clock, port: this };
    const actor = createActor(attemptsMachine, { clock: actorClock(clock), input });
    this.#actors.add(actor);
    actor.subscribe({
      next: () => this.#isDraining && this.#leaveWaiting(actor),
      complete: () => this.#leave(actor),
      error: (error) => this.#fail(error),
    });
    actor.start();
  }

  /** Our own fault at one location ends the run at all of them; who follows it is told. */
  #fail(error: unknown): void {
    this.#done.reject(error);
    this.abandon('cancelled');
  }

  #leaveWaiting(actor: AttemptsActor): void {
    if (!actor.getSnapshot().matches('backingOff')) return;
    actor.stop();
    this.#leave(actor);
  }

  #leave(actor: AttemptsActor): void {
    this.#actors.delete(actor);
    if (this.#actors.size === 0) this.#end();
  }

  #end(): void {
    this.#done.resolve({ lastLocation: this.#lastLocation });
  }

  async attempt({ id, location }: SequenceMemory): Promise<RunResult> {
    const { dispatcher, deniedRanges, configuration, sight, clock } = this.#parts;
    const { check, ordered } = this.#run;
    const given = resultIdentity(clock.now());
    const facts = {
      location,
      checkRunId: this.#checkRunId,
      resultId: given.id,
      overrides: ordered?.order.overrides,
    };
    const group = groupOf(check, configuration.groups);
    const scope = scopeOf(check, group, scopeSources(this.#parts), facts);
    if (scope) this.#promised.set(id, given);
    const timeoutMs = RUN_TIMEOUT_MS;
    const request = { runId: randomUUID(), check, location, timeoutMs, deniedRanges, scope };
    const found = withoutBlameForSleep(request, await dispatcher.run(request));
    return sight.judge(request, found);
  }

  keep(attempt: JudgedAttempt): void {
    if (this.#isAbandoned) return;
    const { recorder } = this.#parts;
    const { check, ordered } = this.#run;
    const { detail } = attempt.result;
    const kept = { result: this.#stored(attempt), detail };
    const certificate = countedCertificate(check, attempt.result.certificate);
    const isFinal = attempt.resultType === 'FINAL';
    const final = isFinal ? this.#finals.add(kept.result, detail, certificate) : undefined;
    this.#sequences.set(attempt.sequence.id, { ...attempt.sequence, final });
    const also = ordered?.follower.settled(kept) ?? {};
    if (ordered && !ordered.follower.countsForCheck) {
      void recorder.beside(also);
      return;
    }
    const memory = { ...this.#memory() };
    void recorder.result(check.id, { kept, memory, certificate, also, finished: this.#finished() });
  }

  /** The run once it is over at all locations; null before. One that was cancelled never alerts. */
  #finished(): FinishedRun | null {
    if (this.#isCancelled || !this.#isSettled()) return null;
    return this.#finals.finished(this.#run.check.id, [...this.#sequences.values()]);
  }

  #isSettled(): boolean {
    return this.#sequences.values().every(({ settled }) => settled);
  }

  #stored({ result, resultType, location, attempts, sequence }: JudgedAttempt): StoredResult {
    const { check, slot } = this.#run;
    const { runId: _, detail: __, certificate: ___, ...measured } = result;
    const identity = this.#promised.get(sequence.id) ?? resultIdentity(this.#parts.clock.now());
    return {
      ...measured,
      ...identity,
      checkId: check.id,
      checkType: check.checkType,
      resultType,
      slot,
      runLocation: location,
      ranOn: this.#parts.dispatcher.runnerOf(location),
      checkRunId: this.#checkRunId,
      attempts,
      sequenceId: sequence.id,
    };
  }

  /** What a restart needs to go on from here. */
  #memory(): CheckMemory {
    const { ordered, slot, memory } = this.#run;
    const sequences = [...this.#sequences.values()];
    const orderId = ordered?.order.id ?? null;
    const interrupted = { orderId, slot, checkRunId: this.#checkRunId, sequences };
    return {
      ...memory,
      lastSlot: this.#passedOverTo ?? memory.lastSlot,
      lastLocation: this.#lastLocation,
      interrupted: this.#isSettled() ? null : interrupted,
    };
  }

  #tellStarted(): void {
    this.#run.ordered?.follower.started({
      startedAt: this.#parts.clock.now(),
      sequences: [...this.#sequences.values()].map(({ id, location }) => ({ id, location })),
      atMostMs: longestRunMs(this.#strategy),
    });
  }

  #tellEnded(): void {
    this.#run.ordered?.follower.ended(this.#isSettled() ? 'settled' : 'cancelled');
  }

  #chooseStrategy(): RetryStrategy | null {
    const { check, ordered } = this.#run;
    const override = ordered?.order.overrides.retryStrategy;
    if (override !== undefined) return override;
    if (!('retryStrategy' in CHECK_KINDS[check.checkType].fields)) return null;
    return retryStrategyOf(check, scopeSources(this.#parts).account.retryStrategy);
  }

  /** A run at all locations at once stays where it is, and so does one that was sent somewhere. */
  nextLocation(location: string): string {
    const { check, ordered } = this.#run;
    const stays =
      (this.#strategy?.sameRegion ?? true) ||
      check.runParallel ||
      ordered?.order.overrides.location !== undefined;
    return stays ? location : locationAfter(check, location);
  }
}

/** An id begins with its time (epoch ms), so a result that is told its id early is as old as that. */
function resultIdentity(createdAt: number): Pick<StoredResult, 'id' | 'createdAt'> {
  return { id: uuidAt(createdAt), createdAt };
}

function newSequence(location: string): SequenceMemory {
  return {
    id: randomUUID(),
    location,
    attempts: 0,
    firstStartedAt: null,
    dueAt: null,
    settled: false,
  };
}

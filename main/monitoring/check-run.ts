import { randomUUID } from 'node:crypto';
import { type ActorRefFrom, createActor } from 'xstate';
import type { FinishedRun } from '#main/alerting/alert-port.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { Connectivity } from '#main/self-monitoring/connectivity-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import { CHECK_KINDS } from '#shared/checks/check.ts';
import type { Clock } from '#shared/clock.ts';
import { groupOf } from '#shared/groups/merge-group.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { locationAfter } from '#shared/runs/locations.ts';
import { RUN_TIMEOUTS_MS, type RunRequest, type RunResult } from '#shared/runs/protocol.ts';
import { longestRunMs, type RetryStrategy, retryStrategyOf } from '#shared/runs/retry.ts';
import { type AttemptOutcome, judge, withoutBlameForSleep } from './attempt-outcome.ts';
import type { CheckRunInput, RunOutcome } from './check-context.ts';
import type { WrittenWithResult } from './check-runs-port.ts';
import type { SequenceState } from './persisted-state.ts';
import type { Recorder } from './recorder.ts';
import { retriesMachine } from './retries.machine.ts';
import { RunSequences } from './run-sequences.ts';
import { type PublicIps, runSecretsOf, runVariablesOf, variableSources } from './run-variables.ts';

/** The dispatcher: executes one attempt; never rejects. */
export interface RunPort {
  run(request: RunRequest): Promise<RunResult>;
  /** Ends a run soon that would take minutes. */
  cancel(runId: string): void;
  runnerOf(location: string): string;
}

export interface CheckRunParts {
  dispatcher: RunPort;
  recorder: Pick<Recorder, 'result' | 'beside' | 'statusOf'>;
  /** Holds a failing result back until it is known whether the monitor itself is online. */
  connectivity: Pick<Connectivity, 'judge'>;
  clock: Clock;
  /** What the scripts and templates of a run are made from. */
  configuration: Pick<Configuration, 'account' | 'groups' | 'snippets' | 'variables'>;
  /** Of the appliance, as the operator gave them. */
  publicIps: PublicIps;
  /** CIDR ranges that the operator denies to checks. */
  deniedRanges: readonly string[];
}

/** What is written with a result of a scheduled run beside the check's own records. */
const NOTHING_ELSE: WrittenWithResult = { also: {}, onKept: () => {} };

/**
 * One run of a check: the attempts at each location that is due, to one FINAL result each. A first
 * attempt is made without an actor, as nearly all runs need no other (docs/decisions/0010).
 */
export class CheckRun {
  readonly #parts: CheckRunParts;
  readonly #run: CheckRunInput;
  readonly #strategy: RetryStrategy | null;
  readonly #sequences: RunSequences;
  /** The actors of the retries, one for each location where an attempt failed. */
  readonly #retries = new Set<ActorRefFrom<typeof retriesMachine>>();
  readonly #over = Promise.withResolvers<void>();
  /** Ids of the attempts under way, for the dispatcher. */
  readonly #attempts = new Set<string>();
  #isDraining = false;
  #isAbandoned = false;
  #isCancelled = false;

  constructor(parts: CheckRunParts, run: CheckRunInput) {
    this.#parts = parts;
    this.#run = run;
    this.#sequences = new RunSequences(run, parts.clock.now());
    this.#strategy = this.#chooseStrategy();
  }

  /** Resolves once every location has its FINAL result, or will have none; rejects only where our own code fails. */
  async carryOut(): Promise<RunOutcome> {
    this.#notifyStarted();
    const due = this.#sequences.all.filter(({ settled }) => !settled);
    const attempts = Promise.all(due.map((sequence) => this.#attemptAt(sequence)));
    attempts.then(() => this.#over.resolve(), this.#over.reject);
    try {
      await this.#over.promise;
    } catch (error) {
      // Our own fault at one location ends the run at all of them; its follower is notified.
      this.abandon('cancelled');
      throw error;
    }
    if (!this.#isAbandoned && !this.#isDraining) this.#notifyEnded();
    return { lastLocation: this.#sequences.lastLocation };
  }

  /** No further attempt is made; one under way is the last, and ends now where it would take minutes. */
  cancel(): void {
    this.#isCancelled = true;
    this.#endWaits();
    this.#endAttempts();
  }

  /** The check is deleted or its actor failed: no further result of the run is written. */
  abandon(how: 'cancelled' | 'deleted'): void {
    if (this.#isAbandoned) return;
    this.#isAbandoned = true;
    for (const retries of this.#retries) retries.stop();
    this.#over.resolve();
    this.#run.ordered?.follower.ended(how);
    this.#endAttempts();
  }

  /** The appliance stops: results of attempts under way are written, waits go on after the restart. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#endWaits();
    await Promise.allSettled([this.#over.promise]);
  }

  /** The attempts at one location, up to its FINAL result; after a restart, from the retry that is due. */
  async #attemptAt(sequence: SequenceState): Promise<void> {
    if (sequence.dueAt !== null) return this.#retry(sequence);
    const { sequence: next } = await this.#attempt(sequence);
    if (!next.settled && !this.#isEnding) await this.#retry(next);
  }

  /** Has the retries made that follow on an attempt, each after its wait. */
  #retry(sequence: SequenceState): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { clock } = this.#parts;
    const attempt = (next: SequenceState) => this.#attempt(next);
    const input = { sequence, strategy: this.#strategy, clock, attempt };
    const retries = createActor(retriesMachine, { clock: actorClock(clock), input });
    this.#retries.add(retries);
    // The actor also completes when the appliance stops.
    retries.subscribe({ next: () => this.#endWaits(), complete: resolve, error: reject });
    retries.start();
    return promise;
  }

  /** Whether no attempt is to follow on those under way. */
  get #isEnding(): boolean {
    return this.#isDraining || this.#isCancelled || this.#isAbandoned;
  }

  #endWaits(): void {
    if (!this.#isEnding) return;
    for (const retries of this.#retries)
      if (retries.getSnapshot().matches('backingOff')) retries.stop();
  }

  #endAttempts(): void {
    for (const runId of this.#attempts) this.#parts.dispatcher.cancel(runId);
  }

  /** Makes one attempt, the first or a retry, and has its result written. */
  async #attempt(sequence: SequenceState): Promise<AttemptOutcome> {
    const { connectivity, clock } = this.#parts;
    const resultId = uuidAt(clock.now());
    const request = this.#requestOf(sequence, resultId);
    const found = withoutBlameForSleep(request, await this.#dispatch(request));
    const outcome = judge(await connectivity.judge(request, found), {
      sequence,
      strategy: this.#strategy,
      cancelled: this.#isCancelled,
      nextLocation: (location) => this.#nextLocation(location),
    });
    // A script or template may have read the id; any other result has its id from when it is written.
    if (!this.#isAbandoned) this.#write(outcome, request.scope && resultId);
    return outcome;
  }

  async #dispatch(request: RunRequest): Promise<RunResult> {
    this.#attempts.add(request.runId);
    try {
      return await this.#parts.dispatcher.run(request);
    } finally {
      this.#attempts.delete(request.runId);
    }
  }

  #requestOf({ location, attempts }: SequenceState, resultId: string): RunRequest {
    const { deniedRanges, configuration, recorder } = this.#parts;
    const { check, ordered } = this.#run;
    const { checkRunId } = this.#sequences;
    const identity = { location, checkRunId, resultId, overrides: ordered?.order.overrides };
    const group = groupOf(check, configuration.groups);
    const sources = variableSources(this.#parts);
    const scope = runVariablesOf(check, group, sources, identity);
    const secrets = runSecretsOf(check, group, sources, identity.overrides);
    const timeoutMs = RUN_TIMEOUTS_MS[check.checkType];
    const wasFailing = attempts > 0 || recorder.statusOf(check.id)?.hasFailures;
    const installsAnew = identity.overrides?.refreshCache;
    return {
      ...{ runId: randomUUID(), check, location, timeoutMs, deniedRanges, scope, secrets },
      ...(wasFailing && { wasFailing }),
      ...(installsAnew && { installsAnew }),
    };
  }

  #write(outcome: AttemptOutcome, resultId: string | undefined): void {
    const { recorder } = this.#parts;
    const { check, ordered } = this.#run;
    const { detail, artifacts, certificate = null } = outcome.result;
    const kept = { result: this.#storedResult(outcome, resultId), detail, artifacts };
    this.#sequences.add(outcome.sequence, kept, certificate);
    const isKept = Promise.withResolvers<boolean>();
    const others = ordered?.follower.settled(kept, isKept.promise) ?? NOTHING_ELSE;
    if (ordered && !ordered.follower.countsForCheck) {
      isKept.resolve(recorder.beside(others.also, others.onKept));
      return;
    }
    const memory = this.#sequences.memory();
    const settled = { kept, memory, certificate, finished: this.#finished(), ...others };
    isKept.resolve(recorder.result(check.id, settled));
  }

  /** The run once it is over at all locations; null before. One that was cancelled never alerts. */
  #finished(): FinishedRun | null {
    return this.#isCancelled || !this.#sequences.isSettled ? null : this.#sequences.finished();
  }

  #storedResult(
    { result, resultType, location, attempts, sequence }: AttemptOutcome,
    id: string | undefined,
  ): StoredResult {
    const { check, slot } = this.#run;
    const { runId: _, detail: __, certificate: ___, artifacts: ____, ...measured } = result;
    const createdAt = this.#parts.clock.now();
    return {
      ...measured,
      id: id ?? uuidAt(createdAt),
      createdAt,
      checkId: check.id,
      checkType: check.checkType,
      resultType,
      slot,
      runLocation: location,
      ranOn: this.#parts.dispatcher.runnerOf(location),
      checkRunId: this.#sequences.checkRunId,
      attempts,
      sequenceId: sequence.id,
    };
  }

  #notifyStarted(): void {
    this.#run.ordered?.follower.started({
      startedAt: this.#parts.clock.now(),
      sequences: this.#sequences.all.map(({ id, location }) => ({ id, location })),
      atMostMs: longestRunMs(this.#run.check.checkType, this.#strategy),
    });
  }

  #notifyEnded(): void {
    this.#run.ordered?.follower.ended(this.#sequences.isSettled ? 'settled' : 'cancelled');
  }

  #chooseStrategy(): RetryStrategy | null {
    const { check, ordered } = this.#run;
    const override = ordered?.order.overrides.retryStrategy;
    if (override !== undefined) return override;
    if (!('retryStrategy' in CHECK_KINDS[check.checkType].fields)) return null;
    return retryStrategyOf(check, variableSources(this.#parts).account.retryStrategy);
  }

  /** Retries of a parallel run, or of one ordered at a location, stay at their location. */
  #nextLocation(location: string): string {
    const { check, ordered } = this.#run;
    const stays =
      (this.#strategy?.sameRegion ?? true) ||
      check.runParallel ||
      ordered?.order.overrides.location !== undefined;
    return stays ? location : locationAfter(check, location);
  }
}

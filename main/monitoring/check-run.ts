import { randomUUID } from 'node:crypto';
import type { FinishedRun } from '#main/alerting/alert-port.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import { CHECK_KINDS } from '#shared/checks/check.ts';
import { groupOf } from '#shared/groups/merge-group.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { withoutBlameForSleep } from '#shared/runs/asleep.ts';
import { locationAfter } from '#shared/runs/locations.ts';
import { RUN_TIMEOUT_MS, type RunResult } from '#shared/runs/protocol.ts';
import { longestRunMs, type RetryStrategy, retryStrategyOf } from '#shared/runs/retry.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import { Attempts } from './attempts.ts';
import type { CheckRun } from './check-context.ts';
import type { WrittenWithResult } from './check-runs-port.ts';
import type { SequenceState } from './persisted-state.ts';
import type { AttemptsPort } from './retries.machine.ts';
import { RunSequences } from './run-sequences.ts';
import { runVariablesOf } from './run-variables.ts';
import type { RunnerParts } from './runner-parts.ts';
import { variableSources } from './variable-sources.ts';

/** What is kept with a result that nobody ordered. */
const NOTHING_ELSE: WrittenWithResult = { also: {}, onKept: () => {} };

/** One run of a check: the attempts at each location that is due, to one FINAL result each. */
export class CheckRunAttempts implements AttemptsPort {
  readonly #parts: RunnerParts;
  readonly #run: CheckRun;
  readonly #strategy: RetryStrategy | null;
  readonly #sequences: RunSequences;
  /** Ids that scripts and templates of the attempt under way may have read, by sequence. */
  readonly #promised = new Map<string, string>();
  readonly #attempts: readonly Attempts[];
  #isDraining = false;
  #isAbandoned = false;
  #isCancelled = false;

  constructor(parts: RunnerParts, run: CheckRun) {
    this.#parts = parts;
    this.#run = run;
    this.#sequences = new RunSequences(run, parts.clock.now());
    this.#strategy = this.#chooseStrategy();
    const making = { strategy: this.#strategy, clock: parts.clock, port: this };
    this.#attempts = this.#sequences.all
      .filter(({ settled }) => !settled)
      .map((sequence) => new Attempts(sequence, making));
  }

  /** Resolves once every location has its FINAL result, or will have none. */
  async carryOut(): Promise<{ lastLocation: string | null }> {
    this.#tellStarted();
    for (const attempts of this.#attempts) attempts.begin();
    try {
      await Promise.all(this.#attempts.map(({ over }) => over));
    } catch (error) {
      // Our own fault at one location ends the run at all of them; who follows it is told.
      this.abandon('cancelled');
      throw error;
    }
    if (!this.#isAbandoned && !this.#isDraining) this.#tellEnded();
    return { lastLocation: this.#sequences.lastLocation };
  }

  /** No further attempt is made; one under way is the last. */
  cancel(): void {
    this.#isCancelled = true;
    for (const attempts of this.#attempts) attempts.cancel();
  }

  /** The check is gone: whatever still comes is nobody's. */
  abandon(how: 'cancelled' | 'deleted'): void {
    if (this.#isAbandoned) return;
    this.#isAbandoned = true;
    for (const attempts of this.#attempts) attempts.stop();
    this.#run.ordered?.follower.ended(how);
  }

  /** The appliance stops: attempts under way are kept, waits go on after the restart. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    for (const attempts of this.#attempts) attempts.drain();
    await Promise.allSettled(this.#attempts.map(({ over }) => over));
  }

  async attempt({ id, location }: SequenceState): Promise<RunResult> {
    const { dispatcher, deniedRanges, configuration, connectivity, clock } = this.#parts;
    const { check, ordered } = this.#run;
    const resultId = uuidAt(clock.now());
    const facts = {
      location,
      checkRunId: this.#sequences.checkRunId,
      resultId,
      overrides: ordered?.order.overrides,
    };
    const group = groupOf(check, configuration.groups);
    const scope = runVariablesOf(check, group, variableSources(this.#parts), facts);
    if (scope) this.#promised.set(id, resultId);
    else this.#promised.delete(id);
    const timeoutMs = RUN_TIMEOUT_MS;
    const request = { runId: randomUUID(), check, location, timeoutMs, deniedRanges, scope };
    const found = withoutBlameForSleep(request, await dispatcher.run(request));
    return connectivity.judge(request, found);
  }

  keep(attempt: AttemptOutcome): void {
    const { recorder } = this.#parts;
    const { check, ordered } = this.#run;
    const { detail, certificate = null } = attempt.result;
    const kept = { result: this.#stored(attempt), detail };
    this.#sequences.add(attempt.sequence, kept, certificate);
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

  #stored({ result, resultType, location, attempts, sequence }: AttemptOutcome): StoredResult {
    const { check, slot } = this.#run;
    const { runId: _, detail: __, certificate: ___, ...measured } = result;
    const createdAt = this.#parts.clock.now();
    return {
      ...measured,
      id: this.#promised.get(sequence.id) ?? uuidAt(createdAt),
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

  #tellStarted(): void {
    this.#run.ordered?.follower.started({
      startedAt: this.#parts.clock.now(),
      sequences: this.#sequences.all.map(({ id, location }) => ({ id, location })),
      atMostMs: longestRunMs(this.#strategy),
    });
  }

  #tellEnded(): void {
    this.#run.ordered?.follower.ended(this.#sequences.isSettled ? 'settled' : 'cancelled');
  }

  #chooseStrategy(): RetryStrategy | null {
    const { check, ordered } = this.#run;
    const override = ordered?.order.overrides.retryStrategy;
    if (override !== undefined) return override;
    if (!('retryStrategy' in CHECK_KINDS[check.checkType].fields)) return null;
    return retryStrategyOf(check, variableSources(this.#parts).account.retryStrategy);
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

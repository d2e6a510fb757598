import { internalFailure } from '#shared/runs/internal-failure.ts';
import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import { type RetryStrategy, retryAt } from '#shared/runs/retry.ts';
import type { SequenceState } from './persisted-state.ts';

/** An attempt that is over, with what is known once it was judged. */
export interface AttemptOutcome {
  result: RunResult;
  resultType: 'ATTEMPT' | 'FINAL';
  /** Where it ran and how many retries came before it. */
  location: string;
  attempts: number;
  /** Where the sequence stands after it. */
  sequence: SequenceState;
}

/** What decides whether an attempt is tried again, and where. */
interface Judging {
  /** Where the sequence stood when the attempt began. */
  sequence: SequenceState;
  strategy: RetryStrategy | null;
  /** Whether no further attempt is wanted. */
  cancelled: boolean;
  /** Where the attempt after one at a location runs. */
  nextLocation(location: string): string;
}

/** What an attempt comes to: its result is FINAL, or it is tried again. */
export function judge(result: RunResult, judging: Judging): AttemptOutcome {
  const { location, attempts } = judging.sequence;
  const firstStartedAt = judging.sequence.firstStartedAt ?? result.startedAt;
  const begun = { ...judging.sequence, firstStartedAt };
  const dueAt = dueAfter(result, judging);
  if (dueAt === null) {
    const sequence = { ...begun, dueAt, settled: true };
    return { result, resultType: 'FINAL', location, attempts, sequence };
  }
  const next = { attempts: attempts + 1, location: judging.nextLocation(location) };
  const sequence = { ...begun, dueAt, ...next };
  return { result, resultType: 'ATTEMPT', location, attempts, sequence };
}

/** When the attempt after this one is due, epoch ms; null where there is none. */
export function dueAfter(
  result: RunResult,
  { cancelled, strategy, sequence }: Omit<Judging, 'nextLocation'>,
): number | null {
  if (cancelled) return null;
  return retryAt(strategy, {
    attempts: sequence.attempts,
    hasFailures: result.hasFailures,
    cause: result.failure?.cause ?? null,
    firstStartedAt: sequence.firstStartedAt ?? result.startedAt,
    stoppedAt: result.stoppedAt,
  });
}

/** How much longer than its time limit a run may take by the wall clock. */
const TOLERANCE_MS = 5_000;

/**
 * A result without blame for what a sleeping machine did: a runner's deadline stands still while the
 * machine sleeps, so a run that took longer than its limit by the wall clock was cut in two. Where it
 * failed, that says nothing of its target.
 */
export function withoutBlameForSleep(request: RunRequest, result: RunResult): RunResult {
  const tookMs = result.stoppedAt - result.startedAt;
  if (!result.hasFailures || tookMs <= request.timeoutMs + TOLERANCE_MS) return result;
  const message = `The machine slept, or its clock was set, while this run was under way (${Math.round(tookMs / 1_000)} s).`;
  return internalFailure(request, result.stoppedAt, 'INTERNAL', message, result.startedAt);
}

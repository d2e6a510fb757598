import type { RunResult } from '#shared/runs/protocol.ts';
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

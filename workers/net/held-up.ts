import { wouldHold } from '#shared/assertions/evaluate.ts';
import { type JudgedRun, judge, type Verdict } from '#shared/results/verdict.ts';
import type { Cause, RunFailure } from '#shared/runs/protocol.ts';

/** What is known of the time of a run; milliseconds. */
export interface RunTime {
  timeoutMs: number;
  /** From its start to its end. */
  tookMs: number;
  /** Of what was measured, the part in which this thread stood still. */
  stalledMs: number;
}

/**
 * How far past its own deadline a run may end. The deadline is a timer of this thread: when it comes
 * later than this, the thread itself was held up, and what was measured says nothing of the target.
 */
const MAX_OVERRUN_MS = 1_000;

/** Other sides that wait for us give up after seconds, hardly before. */
const PATIENCE_MS = 1_000;

const TIMEOUTS: readonly Cause[] = [
  'TIMEOUT_DNS',
  'TIMEOUT_CONNECT',
  'TIMEOUT_TLS',
  'TIMEOUT_RESPONSE',
  'TIMEOUT_DOWNLOAD',
];

/**
 * The verdict on a run; our own trouble where it would be another, had this thread not been held up
 * meanwhile. A run that is bad either way stays so: no standstill hides a target that is down.
 */
export function judgeUnlessHeldUp(run: JudgedRun, time: RunTime): Verdict {
  const { timeoutMs, stalledMs } = time;
  if (run.responseTime > timeoutMs + MAX_OVERRUN_MS) {
    return inconclusive(
      run,
      `the run took ${seconds(run.responseTime)} s, more than it ever gives one`,
    );
  }
  const verdict = judge(run);
  if (stalledMs === 0 || isAlike(verdict, judge(withoutStall(run, time)))) return verdict;
  return inconclusive(run, `it stood still for ${Math.round(stalledMs)} ms of the run`);
}

/** The run as it may have been, had this thread not stood still. */
function withoutStall(run: JudgedRun, time: RunTime): JudgedRun {
  const responseTime = Math.max(0, run.responseTime - time.stalledMs);
  const outcomes = run.outcomes.map((outcome) =>
    outcome.source === 'RESPONSE_TIME' && wouldHold(outcome, responseTime)
      ? { ...outcome, error: null }
      : outcome,
  );
  const failure = run.failure !== null && isOurs(run.failure, time) ? null : run.failure;
  return { ...run, responseTime, outcomes, failure };
}

/** A target that said nothing for half of the time that it had is down, whatever we did in the rest. */
function isOurs({ cause }: RunFailure, { timeoutMs, tookMs, stalledMs }: RunTime): boolean {
  if (TIMEOUTS.includes(cause)) return tookMs - stalledMs < timeoutMs / 2;
  return cause === 'CONNECTION_RESET' && stalledMs > PATIENCE_MS;
}

function isAlike(one: Verdict, other: Verdict): boolean {
  return one.hasFailures === other.hasFailures && one.isDegraded === other.isDegraded;
}

function inconclusive(run: JudgedRun, why: string): Verdict {
  const message = `This machine was too busy to measure: ${why}`;
  return judge({ ...run, failure: { cause: 'INTERNAL', message } });
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}

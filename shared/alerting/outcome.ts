import type { AlertSettings } from '#shared/checks/blocks.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import type { Standing } from './alert-type.ts';

/** What one result says; `inconclusive` is our own trouble, which says nothing of the target. */
export type Verdict = Standing | 'inconclusive';

/**
 * One scheduled run, its retries over: the FINAL results of all of its locations, as runs of several
 * count once. Or one heartbeat event.
 */
export interface RunOutcome {
  /** Epoch ms: when the last of the results was settled. */
  at: number;
  /** One for each location, at least one. */
  verdicts: readonly Verdict[];
}

interface ResultFlags {
  hasErrors: boolean;
  hasFailures: boolean;
  overMaxResponseTime: boolean;
  isDegraded: boolean;
}

/** The verdict of a FINAL result. */
export function verdictOf(result: ResultFlags): Verdict {
  if (result.hasErrors) return 'inconclusive';
  if (result.hasFailures || result.overMaxResponseTime) return 'failing';
  return result.isDegraded ? 'degraded' : 'passing';
}

/** The outcome of a heartbeat event: each missed deadline is one failing run. */
export function heartbeatOutcome(event: { state: HeartbeatState; timestamp: number }): RunOutcome {
  return { at: event.timestamp, verdicts: [isPassing(event.state) ? 'passing' : 'failing'] };
}

/**
 * What a run counts as. It fails when a location fails or, with `parallelRunFailureThreshold`, when
 * at least so many percent do of those that came to a verdict. Else the others decide: degraded when
 * one of them is, else passing. So below the percentage a failing run is none, and ends a streak.
 */
export function runVerdict(
  { verdicts }: RunOutcome,
  { enabled, percentage }: AlertSettings['parallelRunFailureThreshold'],
): Verdict {
  const conclusive = verdicts.filter((verdict) => verdict !== 'inconclusive');
  if (conclusive.length === 0) return 'inconclusive';
  const failing = conclusive.filter((verdict) => verdict === 'failing').length;
  const needed = enabled ? (conclusive.length * percentage) / 100 : 1;
  if (failing >= needed) return 'failing';
  return conclusive.includes('degraded') ? 'degraded' : 'passing';
}

/** The result that an alert shows: the first that says what the run counts as, else the first. */
export function causeOf<R extends { verdict: Verdict }>(finals: readonly R[], verdict: Verdict) {
  return finals.find((final) => final.verdict === verdict) ?? finals[0];
}

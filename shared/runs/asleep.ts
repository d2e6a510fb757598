import { internalFailure } from './internal-failure.ts';
import type { RunRequest, RunResult } from './protocol.ts';

/** How much longer than its time limit a run may take by the wall clock. */
const TOLERANCE_MS = 5_000;

/**
 * A result without blame for what a sleeping machine did: a runner's deadline stands still while the
 * machine sleeps, so a run that took longer than its limit by the wall clock was cut in two. Where it
 * failed, that says nothing of its target (invariant 7 of the design).
 */
export function withoutBlameForSleep(request: RunRequest, result: RunResult): RunResult {
  const tookMs = result.stoppedAt - result.startedAt;
  if (!result.hasFailures || tookMs <= request.timeoutMs + TOLERANCE_MS) return result;
  const message = `The machine slept, or its clock was set, while this run was under way (${Math.round(tookMs / 1_000)} s).`;
  return internalFailure(request, result.stoppedAt, 'INTERNAL', message, result.startedAt);
}

import type { RunState } from './run-strip.tsx';
import type { CheckState } from './state-icon.tsx';

interface Flags {
  hasFailures: boolean;
  hasErrors: boolean;
  isDegraded: boolean | null;
}

/** What became of a run. One that could not be made says nothing of its target. */
export function runStateOf({ hasFailures, hasErrors, isDegraded }: Flags): RunState {
  if (hasFailures) return 'failing';
  if (hasErrors) return 'inconclusive';
  return isDegraded ? 'degraded' : 'passing';
}

/** Where a check stands. @param status null before its first result */
export function checkStateOf(activated: boolean, status: Flags | null): CheckState {
  if (!activated) return 'paused';
  return status === null ? 'pending' : runStateOf(status);
}

/** Where a check stands as the interface shows it; the worst comes first. */
export const CHECK_STATES = [
  'failing',
  'degraded',
  'inconclusive',
  'pending',
  'passing',
  'paused',
] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** How a run, or an event of a heartbeat, ended. */
export type RunState = Exclude<CheckState, 'pending' | 'paused'>;

/** What is known of a result when its state is asked for. */
interface Flags {
  hasFailures: boolean;
  hasErrors: boolean;
  isDegraded: boolean | null;
}

export function runState({ hasFailures, hasErrors, isDegraded }: Flags): RunState {
  if (hasFailures) return 'failing';
  if (hasErrors) return 'inconclusive';
  return isDegraded ? 'degraded' : 'passing';
}

/**
 * One that is off, or in a group that is, is paused; one without a result is pending.
 *
 * @param status of its last result
 */
export function checkState(
  check: { activated: boolean },
  group: { activated: boolean } | undefined,
  status: Flags | undefined,
): CheckState {
  if (!check.activated || group?.activated === false) return 'paused';
  return status === undefined ? 'pending' : runState(status);
}

import { cancelAll } from '#main/sessions/cancel-all.ts';
import type { RunSource, SessionOverrides, StoredSession } from '#shared/sessions/check-session.ts';
import type { Context } from '../../operation.ts';
import type { ChosenChecks } from './choose-checks.ts';

export interface StartOptions {
  runSource: RunSource;
  overrides?: SessionOverrides;
}

/**
 * Makes the sessions of what a trigger chose, those of each group with the group's concurrency. All
 * or none: where a later group is refused, the sessions of the earlier ones are cancelled.
 */
export async function startSessions(
  chosen: readonly ChosenChecks[],
  { runSource, overrides }: StartOptions,
  { sessions }: Pick<Context, 'sessions'>,
): Promise<StoredSession[]> {
  const started: StoredSession[] = [];
  try {
    for (const { checks, group } of chosen) {
      const concurrency = group?.concurrency;
      const groupId = group && Number(group.id);
      const options = { runSource, overrides, concurrency, groupId };
      started.push(...(await sessions.trigger(checks, options)));
    }
  } catch (error) {
    await cancelAll(started, sessions);
    throw error;
  }
  return started;
}

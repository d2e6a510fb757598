import { Yielding } from '#main/platform/yielding.ts';
import { notFound } from '#main/services/service-error.ts';
import { type Check, isHeartbeat, type RunnableCheck } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';
import { membersByGroup } from '#shared/groups/members.ts';
import { groupOf, withGroup } from '#shared/groups/merge-group.ts';
import { matchesTags } from '#shared/sessions/match-tags.ts';
import type { Target } from '#shared/sessions/target.ts';
import type { Context } from '../../operation.ts';
import { findGroup } from '../check-groups/find-group.ts';

/** Checks that start one after another, the settings of their groups applied. */
export interface ChosenChecks {
  checks: RunnableCheck[];
  /** Whose `concurrency` holds; undefined where no group was asked for. */
  group: Group | undefined;
}

/**
 * The checks that a target means, in the order in which they start: those of a group by
 * `groupOrder`, all others as they were created (contract 7.3, 11). Heartbeats are never run,
 * deactivated checks only where that is allowed.
 *
 * @throws ApiError 404 for a group that does not exist, and where no check matches
 */
export async function chooseChecks(
  target: Target,
  context: Context,
  { allowDeactivated = false } = {},
): Promise<ChosenChecks[]> {
  const matches = matcherOf(target, context, allowDeactivated);
  const chosen: ChosenChecks[] = [];
  for (const { checks, group } of candidates(target, context)) {
    chosen.push({ checks: await applied(checks, matches, context), group });
  }
  const filled = chosen.filter(({ checks }) => checks.length > 0);
  if (filled.length === 0) throw notFound('No matching checks were found.');
  return filled;
}

interface Candidates {
  checks: readonly Check[];
  group: Group | undefined;
}

function candidates({ groupId }: Target, context: Context): Candidates[] {
  const all = context.configuration.checks.all();
  if (groupId === undefined) return [{ checks: all, group: undefined }];
  const members = membersByGroup(all);
  return [...new Set(groupId)].map((id) => ({
    checks: members.get(id) ?? [],
    group: findGroup(id, context),
  }));
}

/** Those that match, as they run: there may be thousands, and the actors must not wait for them. */
async function applied(
  checks: readonly Check[],
  matches: (check: Check) => boolean,
  { configuration: { groups } }: Context,
): Promise<RunnableCheck[]> {
  const chosen: RunnableCheck[] = [];
  const pace = new Yielding();
  for (const check of checks) {
    if (pace.isDue) await pace.rest();
    if (isHeartbeat(check) || !matches(check)) continue;
    chosen.push(withGroup(check, groupOf(check, groups)));
  }
  return chosen;
}

function matcherOf(
  { matchTags, checkId }: Target,
  { configuration: { groups } }: Context,
  allowDeactivated: boolean,
) {
  const ids = checkId && new Set(checkId);
  return (check: Check): boolean => {
    if (ids?.has(check.id) === false) return false;
    const group = groupOf(check, groups);
    const isActive = check.activated && group?.activated !== false;
    if (!isActive && !allowDeactivated) return false;
    const tags = [...check.tags, ...(group?.tags ?? [])];
    return matchTags === undefined || matchesTags(tags, matchTags);
  };
}

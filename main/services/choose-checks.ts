import { Yielding } from '#main/platform/yielding.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { InputSource } from '#shared/api/errors.ts';
import { type Check, isHeartbeat, type RunnableCheck } from '#shared/checks/check.ts';
import { LOCATIONS } from '#shared/checks/enums.ts';
import type { Group } from '#shared/groups/group.ts';
import { membersByGroup } from '#shared/groups/members.ts';
import { groupOf, withGroup } from '#shared/groups/merge-group.ts';
import { DEFAULT_LOCATION } from '#shared/runs/locations.ts';
import { matchesTags } from '#shared/sessions/match-tags.ts';
import type { Target } from '#shared/sessions/target.ts';
import { notFound, refuseProblems } from './service-error.ts';

/** Checks that start one after another, the settings of their groups applied. */
export interface ChosenChecks {
  checks: RunnableCheck[];
  /** Whose `concurrency` holds; undefined where no group was asked for. */
  group: Group | undefined;
}

type Stored = Pick<Configuration, 'checks' | 'groups'>;

/**
 * The checks that a target means, in the order in which they start: those of a group by
 * `groupOrder`, all others as they were created. Heartbeats never run, deactivated checks only where
 * that is allowed.
 *
 * @throws ServiceError NOT_FOUND for a group that does not exist, and where no check matches
 */
export async function chooseChecks(
  target: Target,
  stored: Stored,
  { allowDeactivated = false } = {},
): Promise<ChosenChecks[]> {
  const matches = matcherOf(target, stored, allowDeactivated);
  const chosen: ChosenChecks[] = [];
  for (const { checks, group } of candidates(target, stored)) {
    chosen.push({ checks: await applied(checks, matches, stored), group });
  }
  const filled = chosen.filter(({ checks }) => checks.length > 0);
  if (filled.length === 0) throw notFound('No matching checks were found.');
  return filled;
}

const PLACES: readonly string[] = [...LOCATIONS, DEFAULT_LOCATION];

/**
 * Refuses a `runLocation` where nothing can run: it is a data center, `local`, or a private location
 * that one of the checks names.
 */
export function refuseUnknownLocation(
  runLocation: string,
  checks: readonly RunnableCheck[],
  source: InputSource,
): void {
  if (PLACES.includes(runLocation)) return;
  if (checks.some(({ privateLocations }) => privateLocations?.includes(runLocation))) return;
  const message = 'expected a location, or a private location of one of the checks';
  refuseProblems({ source, problems: [{ path: 'runLocation', message }] });
}

interface Candidates {
  checks: readonly Check[];
  group: Group | undefined;
}

function candidates({ groupId }: Target, { checks, groups }: Stored): Candidates[] {
  const all = checks.all();
  if (groupId === undefined) return [{ checks: all, group: undefined }];
  const members = membersByGroup(all);
  return [...new Set(groupId)].map((id) => {
    const group = groups.get(String(id));
    if (group === undefined) throw notFound(`No check group has the id ${id}`);
    return { checks: members.get(id) ?? [], group };
  });
}

/** Those that match, as they run: there may be thousands, and the actors must not wait for them. */
async function applied(
  checks: readonly Check[],
  matches: (check: Check) => boolean,
  { groups }: Stored,
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
  { groups }: Stored,
  allowDeactivated: boolean,
): (check: Check) => boolean {
  const ids = checkId && new Set(checkId);
  return (check) => {
    if (ids?.has(check.id) === false) return false;
    const group = groupOf(check, groups);
    const isActive = check.activated && group?.activated !== false;
    if (!isActive && !allowDeactivated) return false;
    const tags = [...check.tags, ...(group?.tags ?? [])];
    return matchTags === undefined || matchesTags(tags, matchTags);
  };
}

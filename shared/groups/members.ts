import type { Check } from '#shared/checks/check.ts';

/** The checks of a group in the order in which it runs them: by `groupOrder`, then by creation. */
export function membersOf(groupId: number, checks: readonly Check[]): Check[] {
  return checks.filter((check) => check.groupId === groupId).toSorted(byOrder);
}

/** The same of every group at once, by the group's id: one pass over all checks. */
export function membersByGroup(checks: readonly Check[]): Map<number, Check[]> {
  const members = new Map<number, Check[]>();
  for (const check of checks) {
    if (check.groupId === null) continue;
    const known = members.get(check.groupId);
    if (known) known.push(check);
    else members.set(check.groupId, [check]);
  }
  for (const group of members.values()) group.sort(byOrder);
  return members;
}

/** One without a place comes last. */
function byOrder(one: Check, other: Check): number {
  const [left, right] = [one.groupOrder ?? Infinity, other.groupOrder ?? Infinity];
  return left === right ? 0 : left - right;
}

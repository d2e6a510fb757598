import type { Group, GroupChanges, NewGroup } from '#shared/groups/group.ts';
import { keepSecrets } from '../checks/draft.ts';

/** A new group from the members that its create schema let through. `now` is epoch milliseconds. */
export function newGroup(id: number, members: NewGroup, now: number): Group {
  return { ...members, id: String(id), created_at: new Date(now).toISOString(), updated_at: null };
}

/**
 * The group after an update: members left out stay, an object that is sent replaces the old one
 * whole (decisions.md), and a secret stays one. `now` is epoch milliseconds.
 */
export function changedGroup(group: Group, changes: GroupChanges, now: number): Group {
  const variables = changes.environmentVariables;
  return {
    ...group,
    ...changes,
    ...(variables && {
      environmentVariables: keepSecrets(variables, group.environmentVariables ?? []),
    }),
    updated_at: new Date(now).toISOString(),
  };
}

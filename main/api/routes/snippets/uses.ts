import type { Check } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';

/** What may name a snippet: an API check, or a group for its API checks. */
type User = Check | Group;

/** The checks and groups that name a snippet. */
export function usersOf(
  snippetId: number,
  checks: readonly Check[],
  groups: readonly Group[],
): User[] {
  return [...checks, ...groups].filter(
    (user) =>
      'setupSnippetId' in user &&
      (user.setupSnippetId === snippetId || user.tearDownSnippetId === snippetId),
  );
}

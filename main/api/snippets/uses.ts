import type { Check } from '#shared/check/check.ts';

/**
 * Changes of snippets, and of the checks that name one, wait for each other: no name is taken twice
 * and none is deleted while a check comes to use it.
 */
export const SNIPPETS = 'snippets';

/** The ids of the snippets that a check names. */
export function snippetIdsOf(check: Check): number[] {
  if (check.checkType !== 'API') return [];
  return [check.setupSnippetId, check.tearDownSnippetId].filter((id) => id !== null);
}

const MAX_NAMED = 5;

/** The checks that name a snippet, in words; null where there are none. */
export function usersOf(snippetId: number, checks: readonly Check[]): string | null {
  const users = checks.filter((check) => snippetIdsOf(check).includes(snippetId));
  if (users.length === 0) return null;
  const named = users.slice(0, MAX_NAMED).map(({ name, id }) => `${JSON.stringify(name)} (${id})`);
  const rest = users.length - named.length;
  return rest > 0 ? `${named.join(', ')} and ${rest} more checks` : named.join(', ');
}

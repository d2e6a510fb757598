import { z } from 'zod';
import { requiredSnippets } from './snippet.ts';

/** Most users that are named; all of them are counted. */
export const MAX_USERS_NAMED = 50;

/** What uses a variable or a snippet. */
export const userView = z.object({
  kind: z.enum(['check', 'group', 'snippet']),
  /** A UUID of a check, digits of the others. */
  id: z.string(),
  name: z.string(),
  /** It names a snippet as its own, which is not deleted while it does. */
  keeps: z.boolean(),
});
export type UserView = z.output<typeof userView>;

export const usersView = z.object({ total: z.int(), users: z.array(userView) });
export type UsersView = z.output<typeof usersView>;

const TEMPLATE = /\{\{\{?([^{}]{1,500})\}/g;
const MEMBER =
  /process\.env(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*['"`]([^'"`]{1,255})['"`]\s*\])/gu;
const TAKEN_APART = /\{([^{}]{1,2000})\}\s*=\s*process\.env\b/g;

/** Whether a text uses a variable: as `{{KEY}}`, `process.env.KEY` or `const { KEY } = process.env`. */
export function usesVariable(text: string, key: string): boolean {
  if (!text.includes(key)) return false;
  return (
    [...text.matchAll(TEMPLATE)].some(
      ([, inside = '']) => inside.trim() === key || inside.split(/[\s()=]+/).includes(key),
    ) ||
    [...text.matchAll(MEMBER)].some(([, name, quoted]) => (name ?? quoted) === key) ||
    [...text.matchAll(TAKEN_APART)].some(([, names = '']) => names.split(/[\s,:=]+/).includes(key))
  );
}

/** Whether a text loads a snippet. */
export function requiresSnippet(text: string, name: string): boolean {
  return text.includes(name) && requiredSnippets(text).includes(name);
}

/** Every text in a record, however deep. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) yield* textsIn(member);
  }
}

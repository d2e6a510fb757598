import { z } from 'zod';
import { scriptProblems, withRules } from '#shared/checks/rules.ts';
import { SCRIPT_BYTES } from '#shared/sandbox/script.ts';

/** Longest name, and most snippets of an account: bounds of ours. */
const MAX_NAME = 255;
export const MAX_SNIPPETS = 1_000;

/** Body of `POST` and `PUT /v1/snippets`. */
const members = z.object({
  name: z
    .string()
    .min(1)
    .max(MAX_NAME)
    .regex(/^\P{Cc}*$/u, { error: 'expected a name without control characters' })
    .meta({ description: 'Scripts load the snippet with `require("./snippets/<name>.js")`.' }),
  script: z.string().min(1).max(SCRIPT_BYTES).meta({ description: 'Node.js code.' }),
});
export const snippetBody = withRules(members, (body) => scriptProblems(body));
export type SnippetBody = z.output<typeof snippetBody>;

/** A snippet as the API answers it. */
export const snippetView = z.object({
  id: z.int().positive(),
  name: z.string(),
  script: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});

/** Code that several checks share. */
export interface Snippet extends SnippetBody {
  /** A positive whole number in decimal digits. */
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
  updated_at: string | null;
}

export function viewSnippet({ id, name, script, created_at, updated_at }: Snippet) {
  return { id: Number(id), name, script, created_at, updated_at };
}

/** A name ends before the next one begins, so that each character is looked at once. */
const REQUIRED = /\.\/snippets\/((?:[^.\\'"`\p{Cc}]|\.(?!\/snippets\/)){1,260})['"`]/gu;

/**
 * The names of the snippets that a script may require: those it writes out, as
 * `./snippets/<name>.js` or without the ending. Each in both forms, as a name may end in `.js` too,
 * and once.
 */
export function requiredSnippets(code: string): string[] {
  const written = code.matchAll(REQUIRED);
  return [...new Set(written.flatMap(([, name = '']) => [name, name.replace(/\.js$/, '')]))];
}

import type { z } from 'zod';
import { sentence } from './sentence.ts';

/** One thing that is wrong with an input: the dotted path of the member, and what was expected. */
export interface Problem {
  path: string;
  message: string;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/** How many problems of one input are told; the rest is found when these are mended. */
export const MAX_PROBLEMS = 100;

/**
 * Parses outside input and tells every problem at once, each with its path. `root` names the input
 * as a whole (`body`), for a problem that is in no member of it.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  root: string,
): Parsed<z.output<S>> {
  const result = schema.safeParse(input, { error: boundedSentence() });
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => problemsOf(issue, []))
    .map(({ path, message }) => ({ path: path.map(String).join('.') || root, message }));
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Words cost time, and a long list may be wrong in each of its items. */
function boundedSentence(): (issue: z.core.$ZodRawIssue) => string {
  let told = 0;
  return (issue) => {
    told += 1;
    return told > 2 * MAX_PROBLEMS ? 'wrong' : sentence(issue);
  };
}

interface Located {
  path: PropertyKey[];
  message: string;
}

/** A union speaks through the branch that got furthest into the input, else for all of them. */
function problemsOf(issue: z.core.$ZodIssue, prefix: PropertyKey[]): Located[] {
  const path = [...prefix, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ path, message: issue.message }];
  const branch = issue.errors.find((issues) => issues.every((inner) => inner.path.length > 0));
  if (branch === undefined) return [{ path, message: issue.message }];
  return branch.flatMap((inner) => problemsOf(inner, path));
}

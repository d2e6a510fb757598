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

/** How much is told of a member's name that the sender made up. */
const MAX_NAME_CHARS = 100;

/**
 * Parses outside input and tells every problem at once, each with its path. `root` names the input
 * as a whole (`body`), for a problem that is in no member of it.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  root: string,
): Parsed<z.output<S>> {
  const error = boundedSentence();
  const result = schema.safeParse(input, { error });
  if (result.success) return { ok: true, value: result.data };
  const { issues } = result.error;
  const problems = [...issues, ...hiddenIssues(schema, input, { issues, error })]
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => problemsOf(issue, []))
    .map(({ path, message }) => ({ path: path.map(String).join('.') || root, message }));
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

type Words = (issue: z.core.$ZodRawIssue) => string;

/**
 * What a list that is too long hides. Zod looks neither at its items, which is well, nor at any rule
 * about several members of the objects around it: with such lists empty, those rules are asked.
 */
function hiddenIssues(
  schema: z.ZodType,
  input: unknown,
  { issues, error }: { issues: readonly z.core.$ZodIssue[]; error: Words },
): z.core.$ZodIssue[] {
  const tooLong = issues.filter((issue) => issue.code === 'too_big' && issue.origin === 'array');
  if (tooLong.length === 0) return [];
  const shortened = tooLong.reduce((value, { path }) => withEmptyList(value, path), input);
  const told = new Set(issues.map(placeOf));
  const all = schema.safeParse(shortened, { error }).error?.issues ?? [];
  return all.filter((issue) => !told.has(placeOf(issue)));
}

const placeOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path.map(String));

/** A copy of a value with an empty list at a path. */
function withEmptyList(value: unknown, path: readonly PropertyKey[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  if (Array.isArray(value))
    return value.with(Number(name), withEmptyList(value[Number(name)], rest));
  const members = value as Record<PropertyKey, unknown>;
  return { ...members, [name]: withEmptyList(members[name], rest) };
}

/** Words cost time, and a long list may be wrong in each of its items. */
function boundedSentence(): Words {
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
  if (issue.code === 'unrecognized_keys') {
    const message = 'expected no member of this name';
    const keys = issue.keys.slice(0, MAX_PROBLEMS).map((key) => key.slice(0, MAX_NAME_CHARS));
    return keys.map((key) => ({ path: [...path, key], message }));
  }
  if (issue.code !== 'invalid_union') return [{ path, message: issue.message }];
  const branch = issue.errors.find((issues) => issues.every((inner) => inner.path.length > 0));
  if (branch === undefined) return [{ path, message: issue.message }];
  return branch.flatMap((inner) => problemsOf(inner, path));
}

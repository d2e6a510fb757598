import type { z } from 'zod';

/**
 * What a Zod issue means, in one sentence for people: `expected a whole number from 1 to 100,
 * got 500`. It is the error map of every parse of outside input; a schema's own message wins.
 */
export function sentence(issue: RawIssue): string {
  return `expected ${expectation(issue)}, got ${shown(issue)}`;
}

type RawIssue = z.core.$ZodRawIssue;
/** An issue without what only the parser needs: raw ones, and those inside a union's branches. */
type AnyIssue = z.core.$ZodIssue | RawIssue;
type Code = z.core.$ZodIssue['code'];
type IssueOf<C extends Code> = Extract<z.core.$ZodIssue, { code: C }> & {
  schema?: z.core.$ZodType;
};

/** The part after "expected". */
function expectation(issue: AnyIssue): string {
  const describe = EXPECTATIONS[issue.code as Code] as (issue: AnyIssue) => string;
  return describe(issue);
}

const EXPECTATIONS: { [C in Code]: (issue: IssueOf<C>) => string } = {
  invalid_type: (issue) => numberRange(issue.schema) ?? TYPE_WORDS[issue.expected] ?? 'a value',
  invalid_value: ({ values }) => alternatives(values.map((value) => JSON.stringify(value))),
  invalid_format: ({ format }) => FORMAT_WORDS[format] ?? 'text of another form',
  too_small: (issue) =>
    numberRange(issue.schema) ??
    `${issue.exact ? 'exactly' : 'at least'} ${amount(issue.minimum, issue.origin)}`,
  too_big: (issue) =>
    numberRange(issue.schema) ??
    `${issue.exact ? 'exactly' : 'at most'} ${amount(issue.maximum, issue.origin)}`,
  not_multiple_of: ({ divisor }) => `a multiple of ${divisor}`,
  unrecognized_keys: () => 'no other members',
  invalid_union: ({ errors }) =>
    alternatives(errors.flatMap((branch) => branch.slice(0, 1).map(expectation))),
  invalid_key: () => 'another name',
  invalid_element: () => 'another item',
  custom: () => 'another value',
};

const TYPE_WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMAT_WORDS: Record<string, string> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'an ISO 8601 date and time',
  date: 'an ISO 8601 date',
  url: 'a URL',
};

const LENGTH_UNITS: Record<string, string> = { string: 'character', array: 'item' };

function amount(count: number | bigint, origin: string): string {
  const unit = LENGTH_UNITS[origin];
  if (unit === undefined) return String(count);
  return `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
}

/** The kind and bounds of a number schema: `a whole number from 1 to 100`. */
function numberRange(schema: z.core.$ZodType | undefined): string | undefined {
  const def = schema?._zod.def as NumberDef | undefined;
  if (def?.type !== 'number') return undefined;
  const bounds = [...(def.checks ?? [])].map((check) => check._zod.def as BoundDef);
  const low = bounds.find(({ check }) => check === 'greater_than');
  const high = bounds.find(({ check }) => check === 'less_than');
  return `${def.format === undefined ? 'a number' : 'a whole number'}${between(low, high)}`;
}

interface NumberDef {
  type: string;
  format?: string;
  checks?: z.core.$ZodCheck[];
}

interface BoundDef {
  check: string;
  value: number;
  inclusive: boolean;
}

function between(low: BoundDef | undefined, high: BoundDef | undefined): string {
  if (low?.inclusive && high?.inclusive) return ` from ${low.value} to ${high.value}`;
  const parts = [
    low && (low.inclusive ? `of at least ${low.value}` : `above ${low.value}`),
    high && (high.inclusive ? `of at most ${high.value}` : `below ${high.value}`),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

function alternatives(words: readonly string[]): string {
  const unique = [...new Set(words)];
  if (unique.length < 2) return unique[0] ?? 'another value';
  return `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`;
}

const SHOWN_LENGTH = 60;

function shown({ code, input }: AnyIssue): string {
  if (input === undefined) return 'nothing';
  if (Array.isArray(input))
    return code === 'too_big' || code === 'too_small' ? amount(input.length, 'array') : 'a list';
  if (typeof input === 'object') return input === null ? 'null' : 'an object';
  if (typeof input !== 'string') return String(input);
  if (code === 'too_big') return amount(input.length, 'string');
  return JSON.stringify(input.length > SHOWN_LENGTH ? `${input.slice(0, SHOWN_LENGTH)}…` : input);
}

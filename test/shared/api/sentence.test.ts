import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from '#shared/api/problems.ts';

const long = 'x'.repeat(80);

const CASES: [name: string, schema: z.ZodType, input: unknown, message: string][] = [
  ['a missing member', z.string(), undefined, 'expected a string, got nothing'],
  ['a wrong type', z.string(), 5, 'expected a string, got 5'],
  ['null', z.string(), null, 'expected a string, got null'],
  ['an object for a string', z.string(), {}, 'expected a string, got an object'],
  ['a string for a boolean', z.boolean(), 'yes', 'expected true or false, got "yes"'],
  ['a string for a list', z.array(z.string()), 'a', 'expected a list, got "a"'],
  ['a list for an object', z.object({}), [], 'expected an object, got a list'],
  [
    'text for a whole number',
    z.int().min(1),
    'x',
    'expected a whole number of at least 1, got "x"',
  ],
  ['a fraction', z.int().min(1).max(9), 1.5, 'expected a whole number from 1 to 9, got 1.5'],
  ['too small', z.int().min(1).max(9), 0, 'expected a whole number from 1 to 9, got 0'],
  ['too big', z.int().min(1).max(9), 10, 'expected a whole number from 1 to 9, got 10'],
  [
    'not above',
    z.number().gt(0).max(100),
    0,
    'expected a number above 0 and of at most 100, got 0',
  ],
  ['no bounds', z.number(), 'x', 'expected a number, got "x"'],
  ['text too short', z.string().min(1), '', 'expected at least 1 character, got ""'],
  ['text too long', z.string().max(50), long, 'expected at most 50 characters, got 80 characters'],
  ['a list too long', z.array(z.int()).max(1), [1, 2], 'expected at most 1 item, got 2 items'],
  ['long text', z.number(), long, `expected a number, got "${'x'.repeat(60)}…"`],
  ['control characters', z.number(), 'a\n', 'expected a number, got "a\\n"'],
  ['one literal', z.literal('API'), 'TCP', 'expected "API", got "TCP"'],
  ['an enumeration', z.enum(['A', 'B', 'C']), 'D', 'expected "A", "B" or "C", got "D"'],
  ['numbers to choose from', z.literal([5, 10]), 7, 'expected 5 or 10, got 7'],
  ['a UUID', z.guid(), 'x', 'expected a UUID, got "x"'],
  ['a date and time', z.iso.datetime(), 'x', 'expected an ISO 8601 date and time, got "x"'],
  [
    'a union',
    z.union([z.string(), z.number()]),
    {},
    'expected a string or a number, got an object',
  ],
  ['a multiple', z.number().multipleOf(5), 7, 'expected a multiple of 5, got 7'],
  [
    'a refinement',
    z.string().refine(() => false, { error: 'expected a host' }),
    'x',
    'expected a host',
  ],
];

test.each(CASES)('%s is told in one sentence', (_name, schema, input, message) => {
  const parsed = parseInput(z.object({ member: schema }), { member: input }, 'body');
  expect(parsed).toEqual({ ok: false, problems: [{ path: 'member', message }] });
});

test('a union speaks through the branch that fits the input', () => {
  const schema = z.object({ onlyOn: z.union([z.literal('A'), z.array(z.literal('A'))]) });
  expect(parseInput(schema, { onlyOn: ['A', 'B'] }, 'body')).toEqual({
    ok: false,
    problems: [{ path: 'onlyOn.1', message: 'expected "A", got "B"' }],
  });
});

test('a problem of the input as a whole is told under its name', () => {
  const message = 'expected an object, got nothing';
  expect(parseInput(z.object({}), undefined, 'body')).toEqual({
    ok: false,
    problems: [{ path: 'body', message }],
  });
});

test('every problem is told at once, and no more than a hundred', () => {
  const schema = z.object({ a: z.int(), b: z.string(), list: z.array(z.int()) });
  const parsed = parseInput(schema, { a: 'x', b: 1, list: Array(50_000).fill('x') }, 'body');
  if (parsed.ok) throw new Error('It must fail');
  expect(parsed.problems.slice(0, 3).map(({ path }) => path)).toEqual(['a', 'b', 'list.0']);
  expect(parsed.problems).toHaveLength(100);
});

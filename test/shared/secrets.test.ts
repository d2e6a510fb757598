import { expect, test } from 'vitest';
import { z } from 'zod';
import { orUnset } from '#shared/checks/unset.ts';
import { secret, secretMapper, secretWhereLocked } from '#shared/secrets.ts';

const pair = z.object({
  key: z.string(),
  value: secretWhereLocked(z.string()),
  locked: z.boolean(),
});

function mapped(schema: z.ZodType, value: unknown): unknown {
  return secretMapper(schema)?.(value, (text) => `<${text}>`) ?? 'no secrets';
}

const MARKED: [string, z.ZodType, unknown, unknown][] = [
  [
    'a member',
    z.object({ a: secret(z.string()), b: z.string() }),
    { a: 'x', b: 'y' },
    { a: '<x>', b: 'y' },
  ],
  [
    'a member with further checks',
    z.object({ a: secret(z.string()).max(9) }),
    { a: 'x' },
    { a: '<x>' },
  ],
  ['an empty text', z.object({ a: secret(z.string()) }), { a: '' }, { a: '' }],
  ['a member that is left out', z.object({ a: secret(z.string()).optional() }), {}, {}],
  [
    'a member that is null',
    z.object({ a: secret(z.string()).nullable() }),
    { a: null },
    { a: null },
  ],
  [
    'a member with a default',
    z.object({ a: orUnset(secret(z.string()).default('')) }),
    { a: 'x' },
    { a: '<x>' },
  ],
  [
    'members that no schema names',
    z.looseObject({ a: secret(z.string()) }),
    { z: 1, a: 'x' },
    { z: 1, a: '<x>' },
  ],
  [
    'an object that is null',
    z.object({ in: z.object({ a: secret(z.string()) }).nullable() }),
    { in: null },
    { in: null },
  ],
  [
    'a locked pair',
    z.object({ list: z.array(pair) }),
    { list: [{ key: 'k', value: 'x', locked: true }] },
    { list: [{ key: 'k', value: '<x>', locked: true }] },
  ],
  [
    'a pair that is not locked',
    pair,
    { key: 'k', value: 'x', locked: false },
    { key: 'k', value: 'x', locked: false },
  ],
  [
    'a list behind a transform',
    z
      .array(pair)
      .nullable()
      .transform((list) => list ?? []),
    [{ key: 'k', value: 'x', locked: true }],
    [{ key: 'k', value: '<x>', locked: true }],
  ],
  ['a schema without secrets', z.object({ a: z.string() }), { a: 'x' }, 'no secrets'],
];

test.each(MARKED)('secrets are found in %s', (_case, schema, value, expected) => {
  expect(mapped(schema, value)).toEqual(expected);
});

test('of a union the variant that a member names is looked at', () => {
  const schema = z.discriminatedUnion('type', [
    z.object({ type: z.literal('A'), url: secret(z.string()) }),
    z.object({ type: z.literal('B'), url: z.string() }),
  ]);
  expect(mapped(schema, { type: 'A', url: 'x' })).toEqual({ type: 'A', url: '<x>' });
  expect(mapped(schema, { type: 'B', url: 'x' })).toEqual({ type: 'B', url: 'x' });
});

test('a secret in a union that nothing tells apart is refused, not overlooked', () => {
  const schema = z.union([z.object({ a: secret(z.string()) }), z.number()]);
  expect(() => secretMapper(schema)).toThrow('without a discriminator');
});

test('the value itself is left as it was, its members in their order', () => {
  const value = { b: 'y', a: 'x', c: 'z' };
  const copy = mapped(z.looseObject({ a: secret(z.string()) }), value) as object;
  expect(value.a).toBe('x');
  expect(Object.keys(copy)).toEqual(['b', 'a', 'c']);
});

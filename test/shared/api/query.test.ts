import { expect, test } from 'vitest';
import { z } from 'zod';
import { flag, instant, limit, page, repeated, several } from '#shared/api/query.ts';

const query = z.object({
  limit: limit(100, 10),
  page,
  flag: flag.optional(),
  from: instant.optional(),
  words: several(z.enum(['a', 'b'])).optional(),
  names: repeated(z.string()).optional(),
});

test.each([
  [{}, { limit: 10, page: 1 }],
  [
    { limit: '100', page: '3' },
    { limit: 100, page: 3 },
  ],
  [{ flag: 'true' }, { flag: true }],
  [{ flag: '1' }, { flag: true }],
  [{ flag: 'FALSE' }, { flag: false }],
  [{ flag: '0' }, { flag: false }],
  [{ from: '1768478400' }, { from: 1_768_478_400_000 }],
  [{ words: 'a' }, { words: ['a'] }],
  [{ words: 'a,b' }, { words: ['a', 'b'] }],
  [{ names: 'a,b' }, { names: ['a,b'] }],
  [{ names: ['a,b', 'c'] }, { names: ['a,b', 'c'] }],
  [{ words: ['a', 'b,a'] }, { words: ['a', 'b', 'a'] }],
])('%j means %j', (given, meant) => {
  expect(query.parse(given)).toEqual({ limit: 10, page: 1, ...meant });
});

test.each([
  { limit: '0' },
  { limit: '101' },
  { limit: '1.5' },
  { limit: '' },
  { limit: ['1', '2'] },
  { page: '0' },
  { page: '-1' },
  { flag: 'yes' },
  { from: 'soon' },
  { words: 'c' },
])('%j is refused', (given) => {
  expect(query.safeParse(given).error?.issues[0]?.path[0]).toBe(Object.keys(given)[0]);
});

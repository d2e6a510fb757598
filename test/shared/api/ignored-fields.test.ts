import { expect, test } from 'vitest';
import { z } from 'zod';
import { ignoredFields, ignoredFieldsHeader } from '#shared/api/ignored-fields.ts';

const schema = z
  .object({
    name: z.string(),
    request: z.object({ url: z.string() }).nullable().optional(),
    items: z
      .array(z.object({ key: z.string() }))
      .nullable()
      .transform((items) => items ?? []),
    changed: z.preprocess((value) => value, z.object({ key: z.string() }).optional()),
    free: z.union([z.string(), z.number()]),
  })
  .superRefine(() => undefined);

test.each([
  ['nothing unknown', { name: 'x', request: { url: 'u' }, items: [{ key: 'k' }] }, []],
  ['at the top', { name: 'x', id: '', sslCheck: {} }, ['id', 'sslCheck']],
  ['inside an object', { request: { url: 'u', verb: 'GET' } }, ['request.verb']],
  ['inside a list', { items: [{ key: 'k' }, { key: 'k', order: 1 }] }, ['items.1.order']],
  [
    'names of prototypes',
    JSON.parse('{"__proto__": {}, "constructor": 1}'),
    ['__proto__', 'constructor'],
  ],
  ['in what is changed before it is parsed', { changed: { key: 'k', lock: 1 } }, ['changed.lock']],
  ['members of a wrong type', { request: 'x', items: 5, free: {} }, []],
  ['no object at all', [1], []],
])('%s', (_name, body, names) => {
  expect(ignoredFields(schema, body)).toEqual(names);
});

test('no more than fifty are named', () => {
  const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, 1]));
  expect(ignoredFields(schema, body)).toHaveLength(50);
});

test('a header holds names safely', () => {
  const names = ['plain.name', 'a,b\r\nset-cookie: x', 'é\ud800', 'y'.repeat(500)];
  expect(ignoredFieldsHeader(names)).toBe(
    `plain.name, a%2Cb%0D%0Aset-cookie%3A%20x, %C3%A9%EF%BF%BD, ${'y'.repeat(100)}`,
  );
});

test('a header is short enough for every client, and cuts no name', () => {
  const names = Array.from({ length: 50 }, () => 'é'.repeat(100));
  const header = ignoredFieldsHeader(names);
  expect(header.length).toBeLessThanOrEqual(4_000);
  expect(new Set(header.split(', '))).toEqual(new Set(['%C3%A9'.repeat(100)]));
});

import { expect, test } from 'vitest';
import { requiresSnippet, textsIn, usesVariable } from '#shared/variables/uses.ts';

test.each([
  '{{KEY}}',
  'https://{{ KEY }}/a',
  '{{{KEY}}}',
  '{{helper KEY}}',
  'fetch(process.env.KEY)',
  "process.env['KEY']",
  'process.env?.KEY',
  'const { OTHER, KEY: name } = process.env;',
  'const {\n  KEY,\n} = process.env;',
])('%s uses the variable', (text) => {
  expect(usesVariable(text, 'KEY')).toBe(true);
});

test.each([
  'KEY',
  '{{KEY_2}}',
  '{{MY_KEY}}',
  'process.env.KEYS',
  "process.env['A KEY']",
  'const { KEY } = other;',
  '{KEY}',
])('%s does not', (text) => {
  expect(usesVariable(text, 'KEY')).toBe(false);
});

test('a snippet is required by its name, with the ending or without', () => {
  expect(requiresSnippet("require('./snippets/sign.js')", 'sign')).toBe(true);
  expect(requiresSnippet('import "./snippets/sign"', 'sign')).toBe(true);
  expect(requiresSnippet("require('./snippets/signs.js')", 'sign')).toBe(false);
});

test('texts are found however deep', () => {
  expect([...textsIn({ a: 'one', b: [{ c: 'two' }, 3, null, ['three']] })]).toEqual([
    'one',
    'two',
    'three',
  ]);
});

test('a hostile text is read in one pass', () => {
  const text = `KEY${'{'.repeat(200_000)}${'process.env'.repeat(20_000)}`;
  expect(usesVariable(text, 'KEY')).toBe(false);
});

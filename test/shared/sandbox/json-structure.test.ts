import { expect, test } from 'vitest';
import { isStructureBounded } from '#shared/sandbox/json-structure.ts';

const text = 'say "hi", {[(\\)]}';

test.each([
  ['{}', 2],
  [JSON.stringify({ a: text }), 3],
  [JSON.stringify({ [text]: text, b: [text, text] }), 8],
  [JSON.stringify(['\\', '\\\\', '\\"', '"']), 5],
  ['[1,23,null]', 11],
])('%s has %i characters outside of its texts', (json, chars) => {
  expect(isStructureBounded(json, chars)).toBe(true);
  expect(isStructureBounded(json, chars - 1)).toBe(false);
});

test('a text that never ends has no more structure: it is no JSON anyway', () => {
  expect(isStructureBounded('["never', 1)).toBe(true);
  expect(isStructureBounded('["never\\"', 1)).toBe(true);
});

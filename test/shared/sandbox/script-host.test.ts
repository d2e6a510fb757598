import { expect, test } from 'vitest';
import { LineReader } from '#shared/sandbox/script-host.ts';

test('lines come whole, however they are cut', () => {
  const reader = new LineReader();
  expect(['a', 'b\nc\n', '', 'd', 'e\n\nf'].flatMap((chunk) => reader.push(chunk))).toEqual([
    'ab',
    'c',
    'de',
    '',
  ]);
});

test('a line that is too long ends the stream, whole or in pieces', () => {
  expect(new LineReader(3).push('abcd\n')).toBeNull();
  const reader = new LineReader(3);
  expect(reader.push('ab')).toEqual([]);
  expect(reader.push('cd')).toBeNull();
});

import { describe, expect, test } from 'vitest';
import { snippet } from '#shared/playwright/snippet.ts';

const TEXT = Array.from({ length: 12 }, (_, n) => `line ${n + 1}`).join('\n');

describe('the lines around a place', () => {
  test('are two before it and three after it, with a mark under its column', () => {
    expect(snippet(TEXT, 8, 6)?.split('\n')).toEqual([
      '   6 | line 6',
      '   7 | line 7',
      '>  8 | line 8',
      '     |      ^',
      '   9 | line 9',
      '  10 | line 10',
      '  11 | line 11',
    ]);
  });

  test.each([
    [
      'at the start',
      1,
      ['> 1 | line 1', '    | ^', '  2 | line 2', '  3 | line 3', '  4 | line 4'],
    ],
    ['at the end', 12, ['  10 | line 10', '  11 | line 11', '> 12 | line 12', '     | ^']],
  ])('are fewer %s of a text', (_, line, rows) => {
    expect(snippet(TEXT, line, 1)?.split('\n')).toEqual(rows);
  });

  test.each([0, 13, -1])('are none where the text has no line %i', (line) => {
    expect(snippet(TEXT, line, 1)).toBeUndefined();
  });

  test('end where lines of Windows end', () => {
    expect(snippet('a\r\nb\r\n', 2, 1)).toBe('  1 | a\n> 2 | b\n    | ^\n  3 | ');
  });

  test('are cut where they are long, and the mark is left out beyond the cut', () => {
    const long = 'x'.repeat(10_000);
    expect(snippet(long, 1, 5_000)).toBe(`> 1 | ${'x'.repeat(300)}`);
    expect(snippet(long, 1, 300)).toBe(`> 1 | ${'x'.repeat(300)}\n    | ${' '.repeat(299)}^`);
  });

  test('have a mark at their start for a column that is none', () => {
    expect(snippet('a', 1, 0)).toBe('> 1 | a\n    | ^');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namePattern } from '#shared/artifacts/name-pattern.ts';
import { cpuMsOf } from '../../fixtures/cpu-time.ts';

describe('a pattern of names', () => {
  test.each([
    ['*', 'a.png', true],
    ['*', 'report/a.png', true],
    ['*.png', 'a.png', true],
    ['*.png', 'report/data/a.png', true],
    ['*.png', 'a.png.zip', false],
    ['a.png', 'a.png', true],
    ['a.png', 'b/a.png', true],
    ['a.png', 'aapng', false],
    ['?.png', 'a.png', true],
    ['?.png', 'ab.png', false],
    ['report/*.html', 'report/index.html', true],
    ['report/*.html', 'report/data/index.html', false],
    ['report/**', 'report/data/index.html', true],
    ['**/index.html', 'index.html', true],
    ['**/index.html', 'report/data/index.html', true],
    ['**/index.html', 'report/myindex.html', false],
    ['report/**/a.png', 'report/a.png', true],
    ['report/**/a.png', 'report/b/c/a.png', true],
    ['report/**/a.png', 'report/ba.png', false],
    ['a**z', 'ab/cz', true],
    ['[a].{png}+$', '[a].{png}+$', true],
    ['trace*', 'Trace.zip', false],
    ['?.png', '👍.png', true],
    ['', 'a', false],
  ])('%j and the name %j: %j', (pattern, name, expected) => {
    expect(namePattern(pattern)(name)).toBe(expected);
  });

  test('matches what a regular expression of the same meaning matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '/', '*', '?', '**', '**/'), { maxLength: 7 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, text, (pattern, name) => {
        const source = pattern.replaceAll(/\*\*\/|\*+|\?/g, (wildcard) => {
          if (wildcard === '**/') return '(?:[^]*/)?';
          if (wildcard === '?') return '[^/]';
          return wildcard === '*' ? '[^/]*' : '[^]*';
        });
        const isForLast = !pattern.includes('/') && !pattern.includes('**');
        const shown = isForLast ? name.slice(name.lastIndexOf('/') + 1) : name;
        expect(namePattern(pattern)(name)).toBe(new RegExp(`^${source}$`).test(shown));
      }),
      { numRuns: 2_000 },
    );
  });

  test('of the worst kind answers a hundred of the longest names at once', () => {
    const isLike = namePattern(`${'*a'.repeat(99)}**b`);
    const names = Array.from({ length: 100 }, () => 'a'.repeat(255));
    expect(cpuMsOf(() => expect(names.filter(isLike)).toEqual([]))).toBeLessThan(3_000);
  });
});

import { describe, expect, it } from 'vitest';
import { compilePattern, extract } from '#shared/pattern.ts';

describe('a pattern takes its first capture group, or the whole match', () => {
  it.each([
    ['status: (\\w+)', 'x status: ok y', 'ok'],
    ['(\\d+)-(\\d+)', 'a 12-34 b', '12'],
    ['\\d+', 'a 12 34', '12'],
    ['nothing', 'a 12', null],
    ['a(b)?', 'ac', null],
    ['^b', 'a\nb', null],
    ['a$', 'a\nb', null],
    ['a.b', 'a\nb', null],
    ['A', 'a', null],
    ['(?i)A', 'a', 'a'],
    ['(?<year>\\d{4})', 'in 2026', '2026'],
    ['\\u00e9+', 'éé', 'éé'],
    ['\\/a\\-b', '/a-b', '/a-b'],
    ['^.$', '😀', '😀'],
  ])('/%s/ of %j', (pattern, text, value) => {
    expect(extract(pattern, text)).toEqual({ value });
  });
});

describe('a pattern that is wrong is a problem, not an exception', () => {
  it.each([
    ['(', 'is not valid: error parsing regexp: missing closing ): `(`'],
    ['(a)\\1', 'is not valid: error parsing regexp: invalid escape sequence: `\\1`'],
    ['(?=a)', 'is not valid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['a{1001}', 'is not valid: error parsing regexp: invalid repeat count: `{1001}`'],
  ])('/%s/', (pattern, problem) => {
    expect(extract(pattern, 'a')).toEqual({
      problem: `the regular expression /${pattern}/ ${problem}`,
    });
  });
});

describe('the cost of a pattern is bounded', () => {
  it.each([['(a+)+$'], ['(a|a)*$'], ['(a|aa)+$'], ['(.*a){10}$'], ['^(\\w+\\s?)*$']])(
    '/%s/ ends on 100,000 characters that make others backtrack',
    (pattern) => {
      expect(extract(pattern, `${'a'.repeat(100_000)}!`)).toEqual({ value: null });
    },
  );

  it('a pattern that would compile to a huge program is refused', () => {
    const outcome = compilePattern('a{1000}'.repeat(250));
    expect(outcome).toEqual({ problem: expect.stringMatching(/^the .* repeats too much$/) });
    expect(compilePattern('((a{30}b{30}){30}c{9}){9}'.repeat(20))).toHaveProperty('problem');
  });

  it('a pattern is refused a text that is too long for its size', () => {
    expect(extract('a{1,1000}b', 'a'.repeat(100_000))).toEqual({
      problem: 'the regular expression /a{1,1000}b/ is too costly for a text of 100000 characters',
    });
  });

  it.each([
    ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'],
    ['(\\d{1,3}\\.){3}\\d{1,3}'],
    ['(?:[a-z0-9-]{1,63}\\.){1,10}[a-z]{2,63}'],
    ['.{0,1000}end'],
  ])('/%s/ is within bounds', (pattern) => {
    expect(compilePattern(pattern)).toHaveProperty('value');
  });
});

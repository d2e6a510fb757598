import { describe, expect, it } from 'vitest';
import { evaluateAssertions } from '#shared/assertions/evaluate.ts';
import { COMPARISONS, type Comparison } from '#shared/checks/blocks.ts';

const NONE = Symbol('no value');

/** Whether a comparison holds for one value of a JSON document. */
function holds(comparison: Comparison, value: unknown, target: string): boolean {
  const facts = {
    responseCode: 'NOERROR',
    responseTime: 1,
    textAnswer: '',
    jsonAnswer: value === NONE ? {} : { value },
  };
  const assertion = { source: 'JSON_ANSWER', comparison, property: '$.value', target, regex: null };
  const [outcome] = evaluateAssertions('DNS', [assertion], facts);
  return outcome?.error === null;
}

const NEGATIONS = {
  EQUALS: 'NOT_EQUALS',
  CONTAINS: 'NOT_CONTAINS',
  IS_EMPTY: 'NOT_EMPTY',
  IS_NULL: 'NOT_NULL',
  HAS_KEY: 'NOT_HAS_KEY',
  HAS_VALUE: 'NOT_HAS_VALUE',
} as const;

describe('a comparison and its negation', () => {
  it.each<[keyof typeof NEGATIONS, unknown, string, boolean]>([
    ['EQUALS', 'ok', 'ok', true],
    ['EQUALS', 'ok', 'OK', false],
    ['EQUALS', 200, '200', true],
    ['EQUALS', 200, '200.0', true],
    ['EQUALS', 200, ' 200 ', true],
    ['EQUALS', 0.5, '0.50', true],
    ['EQUALS', '1.50', '1.5', true],
    ['EQUALS', '007', '7', true],
    ['EQUALS', '+7', '7', true],
    ['EQUALS', '-0', '0', true],
    ['EQUALS', '-0.0', '-0', true],
    ['EQUALS', '1.', '1', true],
    ['EQUALS', '1e3', '1000', false],
    ['EQUALS', '0x10', '16', false],
    ['EQUALS', '12345678901234567890', '12345678901234567891', false],
    ['EQUALS', '12345678901234567890', '012345678901234567890.0', true],
    ['EQUALS', JSON.parse('12345678901234567890'), '12345678901234567890', true],
    ['EQUALS', '', '0', false],
    ['EQUALS', '', '', true],
    ['EQUALS', true, 'true', true],
    ['EQUALS', true, '1', false],
    ['EQUALS', null, 'null', true],
    ['EQUALS', null, '', false],
    ['EQUALS', NONE, '', false],
    ['EQUALS', NONE, 'undefined', false],
    ['EQUALS', [1, 2], '[1,  2]', true],
    ['EQUALS', [1, 2], '[2, 1]', false],
    ['EQUALS', [1], '[1, 2]', false],
    ['EQUALS', [1, 2], '[1]', false],
    ['EQUALS', { a: 1, b: 2 }, '{"b":2,"a":1}', true],
    ['EQUALS', { a: 1 }, '{"a":"1"}', false],
    ['EQUALS', { a: 1 }, '{', false],
    ['EQUALS', [], '', false],
    ['CONTAINS', 'a needle in hay', 'needle', true],
    ['CONTAINS', 'a needle in hay', 'Needle', false],
    ['CONTAINS', 'anything', '', true],
    ['CONTAINS', ['a', 'b'], 'b', true],
    ['CONTAINS', ['ab'], 'b', false],
    ['CONTAINS', [1, 2.5], '2.50', true],
    ['CONTAINS', [{ a: 1 }], '{"a":1}', true],
    ['CONTAINS', 1234, '23', true],
    ['CONTAINS', { status: 'green' }, 'green', true],
    ['CONTAINS', { status: 'green' }, 'red', false],
    ['CONTAINS', null, 'null', false],
    ['CONTAINS', NONE, '', false],
    ['IS_EMPTY', '', '', true],
    ['IS_EMPTY', [], '', true],
    ['IS_EMPTY', {}, '', true],
    ['IS_EMPTY', null, '', true],
    ['IS_EMPTY', NONE, '', true],
    ['IS_EMPTY', ' ', '', false],
    ['IS_EMPTY', 0, '', false],
    ['IS_EMPTY', false, '', false],
    ['IS_EMPTY', [null], '', false],
    ['IS_NULL', null, '', true],
    ['IS_NULL', NONE, '', true],
    ['IS_NULL', 'null', '', false],
    ['IS_NULL', '', '', false],
    ['IS_NULL', 0, '', false],
    ['HAS_KEY', { a: 1 }, 'a', true],
    ['HAS_KEY', { a: undefined }, 'a', true],
    ['HAS_KEY', { a: 1 }, 'b', false],
    ['HAS_KEY', {}, 'toString', false],
    ['HAS_KEY', ['a'], 'a', false],
    ['HAS_KEY', ['a'], '0', false],
    ['HAS_KEY', 'a', 'a', false],
    ['HAS_KEY', NONE, 'a', false],
    ['HAS_VALUE', { a: 'x' }, 'x', true],
    ['HAS_VALUE', { a: 5 }, '5.0', true],
    ['HAS_VALUE', ['x', 'y'], 'y', true],
    ['HAS_VALUE', { a: 'x' }, 'a', false],
    ['HAS_VALUE', 'x', 'x', false],
    ['HAS_VALUE', NONE, '', false],
  ])('%s of %o with %j', (comparison, value, target, expected) => {
    expect(holds(comparison, value, target)).toBe(expected);
    expect(holds(NEGATIONS[comparison], value, target)).toBe(!expected);
  });

  it('are all there are, with the two of order', () => {
    const covered = [...Object.entries(NEGATIONS).flat(), 'GREATER_THAN', 'LESS_THAN'];
    expect(covered.sort()).toEqual([...COMPARISONS].sort());
  });
});

describe('order holds between numbers only, strictly', () => {
  it.each<[unknown, string, 'greater' | 'less' | 'neither']>([
    [10, '9', 'greater'],
    ['10', '9', 'greater'],
    ['9', '10', 'less'],
    [9, '9', 'neither'],
    ['-1', '0', 'less'],
    ['0.30', '0.3', 'neither'],
    [' 5 ', '4', 'greater'],
    ['b', 'a', 'neither'],
    ['10 ms', '9', 'neither'],
    [10, 'nine', 'neither'],
    [10, '', 'neither'],
    ['', '-1', 'neither'],
    [true, '0', 'neither'],
    [null, '-1', 'neither'],
    [[10], '9', 'neither'],
    [NONE, '1', 'neither'],
  ])('%o and %j', (value, target, order) => {
    expect(holds('GREATER_THAN', value, target)).toBe(order === 'greater');
    expect(holds('LESS_THAN', value, target)).toBe(order === 'less');
  });
});

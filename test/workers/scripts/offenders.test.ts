import { expect, test } from 'vitest';
import type { ScriptError } from '#shared/run/script.ts';
import { Offenders } from '#workers/scripts/offenders.ts';

const error = (kind: ScriptError['kind']): ScriptError => ({
  kind,
  message: '',
  line: null,
  column: null,
});

test.each([
  ['timeout', true],
  ['memory', true],
  ['thrown', false],
  ['syntax', false],
  ['too-large', false],
  ['host', false],
] as const)('a script that ended as %s is remembered: %s', (kind, known) => {
  const offenders = new Offenders();
  offenders.judge('a', error(kind));
  expect(offenders.has('a')).toBe(known);
  expect(offenders.has('b')).toBe(false);
});

test('a good run makes up for a bad one', () => {
  const offenders = new Offenders();
  offenders.judge('a', error('timeout'));
  offenders.judge('b', error('timeout'));
  offenders.judge('a', null);
  expect([offenders.has('a'), offenders.has('b')]).toEqual([false, true]);
});

test('beyond a thousand the oldest are forgotten', () => {
  const offenders = new Offenders();
  for (let n = 0; n <= 1_000; n++) offenders.judge(`${n}`, error('memory'));
  expect([offenders.has('0'), offenders.has('1'), offenders.has('1000')]).toEqual([
    false,
    true,
    true,
  ]);
});

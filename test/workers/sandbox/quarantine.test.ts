import { expect, test } from 'vitest';
import type { ScriptError } from '#shared/sandbox/script.ts';
import { Quarantine } from '#workers/sandbox/host.ts';

const error = (kind: ScriptError['kind']): ScriptError => ({
  kind,
  message: '',
  line: null,
  column: null,
});

test.each([
  ['timeout', false, 'harmful'],
  ['memory', false, 'harmful'],
  ['thrown', false, null],
  ['syntax', false, null],
  ['too-large', false, null],
  ['host', false, null],
  ['host', true, 'suspect'],
] as const)(
  'a script that ended as %s, lost with its host: %s, is remembered as %s',
  (kind, wasLost, standing) => {
    const quarantine = new Quarantine();
    quarantine.judge('a', error(kind), wasLost);
    expect(quarantine.standingOf('a')).toBe(standing);
    expect(quarantine.standingOf('b')).toBeNull();
  },
);

test('a good run makes up for a bad one', () => {
  const quarantine = new Quarantine();
  quarantine.judge('a', error('timeout'), false);
  quarantine.judge('b', error('timeout'), false);
  quarantine.judge('a', null, false);
  expect(['a', 'b'].map((code) => quarantine.standingOf(code))).toEqual([null, 'harmful']);
});

test('beyond a thousand the oldest are forgotten', () => {
  const quarantine = new Quarantine();
  for (let n = 0; n <= 1_000; n++) quarantine.judge(`${n}`, error('memory'), false);
  const standings = ['0', '1', '1000'].map((code) => quarantine.standingOf(code));
  expect(standings).toEqual([null, 'harmful', 'harmful']);
});

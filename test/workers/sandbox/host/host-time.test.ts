import { expect, test } from 'vitest';
import { ScriptCalls } from '#workers/sandbox/host/script-calls.ts';

const USED_UP = 'The script used up its time for hashes, random values, URLs and requests';

function callsOfOneScript() {
  const nothing = () => undefined;
  const ports = { send: nothing, wake: nothing, answer: nothing, done: nothing };
  return new ScriptCalls(ports, '2025.04');
}

test('a script that has the host compute without end is refused, whatever a hash costs', () => {
  const calls = callsOfOneScript();
  const data = 'x'.repeat(5 * 1024 * 1024);
  const hashWithoutEnd = () => {
    for (let n = 0; n < 200; n++) calls.answer(['hash', 'md5', data, '']);
  };
  expect(hashWithoutEnd).toThrow(USED_UP);
});

test('so is one that sets timers, or has requests answered without end', () => {
  const timers = callsOfOneScript();
  const setTimers = () => {
    for (let n = 0; n < 200_001; n++) timers.answer(['wake', '', '', '']);
  };
  expect(setTimers).toThrow(USED_UP);
  const requests = callsOfOneScript();
  requests.answered(1, 1_001);
  expect(() => requests.answer(['uuid'])).toThrow(USED_UP);
});

test.each([[['hash', 'md5', ['x']]], [['hash', { toString: () => 'md5' }, 'x']], [[null]]])(
  'a call with what is neither text nor number is refused: %j',
  (args) => {
    const refused = 'Only texts and numbers can be handed to the host';
    expect(() => callsOfOneScript().answer(args)).toThrow(refused);
  },
);

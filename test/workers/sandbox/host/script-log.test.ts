import { expect, test } from 'vitest';
import { ScriptLog } from '#workers/sandbox/host/script-run.ts';

test('the log of a script is bounded outside of its realm too, in lines and in characters', () => {
  const lines = new ScriptLog();
  for (let n = 0; n < 5_000; n++) lines.add(n, 'INFO', 'x');
  expect(lines.lines).toHaveLength(1_001);
  const chars = new ScriptLog();
  for (let n = 0; n < 500; n++) chars.add(n, 'INFO', 'x'.repeat(1_000));
  const kept = chars.lines.reduce((sum, { msg }) => sum + msg.length, 0);
  expect(kept).toBeLessThanOrEqual(256 * 1024 + 200);
});

test.each([
  ['a time that is none', Number.NaN, 'INFO', 'x'],
  ['a level that is none', 1, 'FATAL', 'x'],
  ['what is no text', 1, 'INFO', ['x']],
])('a line with %s is left out', (_what, time, level, msg) => {
  const log = new ScriptLog();
  log.add(time, level, msg);
  expect(log.lines).toEqual([]);
});

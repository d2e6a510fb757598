import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '#main/platform/system-clock.ts';

test('what is due already is called soon, without a warning of Node', async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => void warnings.push(name);
  process.on('warning', hear);
  await new Promise<void>((resolve) => systemClock.setTimeout(resolve, -2));
  // Node has told by then: it warns of what it hears in the order of its telling.
  process.emitWarning('over', 'Over');
  if (!warnings.includes('Over')) await once(process, 'warning');
  await nextTurn();
  process.off('warning', hear);
  expect(warnings).toEqual(['Over']);
});

test('what is due already is not called once it is cleared', async () => {
  const called: string[] = [];
  const due = systemClock.setTimeout(() => called.push('cleared'), 0);
  systemClock.setTimeout(() => called.push('kept'), 0);
  systemClock.clearTimeout(due);
  systemClock.clearTimeout(undefined);
  await nextTurn();
  await nextTurn();
  expect(called).toEqual(['kept']);
});

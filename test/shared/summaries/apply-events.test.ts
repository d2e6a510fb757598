import { expect, test } from 'vitest';
import { applyEvents, knownFrom } from '#shared/summaries/apply-events.ts';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import type { CheckWindow, RunEvent } from '#shared/summaries/live-event.ts';

const check: CheckSummary = {
  id: 'a',
  name: 'Checkout',
  type: 'API',
  state: 'passing',
  muted: false,
  groupId: 1,
  tags: [],
  target: null,
  since: null,
  cause: null,
  lastRunAt: 100,
  runs: 'pA',
  availability: 100,
  p95: 20,
};
const shop = { id: 1, name: 'Shop', activated: true, muted: false };
const known = knownFrom({ checks: [check], groups: [shop] }, { layout: 6, names: 6 });
const run: RunEvent = {
  kind: 'run',
  id: 'a',
  resultId: 'r',
  state: 'passing',
  since: null,
  cause: null,
  lastRunAt: 200,
  run: 'pB',
  availability: 99,
  p95: 30,
};

test('a run changes the numbers of its check and leaves the layout', () => {
  const after = applyEvents(known, [run]);
  expect(after.checks.get('a')).toEqual({
    ...check,
    lastRunAt: 200,
    runs: 'pApB',
    availability: 99,
    p95: 30,
  });
  expect([after.layout, known.checks.get('a')]).toEqual([7, check]);
});

test('a run that leaves the check elsewhere changes the layout too', () => {
  const after = applyEvents(known, [{ ...run, state: 'failing', cause: 'status 502', since: 200 }]);
  expect(after.checks.get('a')).toMatchObject({
    state: 'failing',
    cause: 'status 502',
    since: 200,
  });
  expect([after.layout, after.names]).toEqual([8, 7]);
});

test('a run that is known already, or is of no known check, changes nothing', () => {
  expect(applyEvents(known, [{ ...run, lastRunAt: 100 }])).toBe(known);
  expect(applyEvents(known, [{ ...run, id: 'b' }])).toBe(known);
  expect(applyEvents(known, [{ kind: 'changed', what: 'variables', id: 'v' }])).toBe(known);
});

test('what is known late of a check changes its numbers, and the layout only with its state', () => {
  const window: CheckWindow = {
    ...{ id: 'a', since: null, cause: null, lastRunAt: 300 },
    ...{ state: 'passing', runs: 'pApBpC', availability: 98, p95: 40 },
  };
  const after = applyEvents(known, [{ kind: 'windows', checks: [window, { ...window, id: 'b' }] }]);
  expect([...after.checks.values()]).toEqual([{ ...check, ...window }]);
  expect([after.layout, after.names]).toEqual([7, 7]);
  const failing: CheckWindow = { ...window, state: 'failing' };
  expect(applyEvents(known, [{ kind: 'windows', checks: [failing] }]).layout).toBe(8);
});

test('checks and groups come, change and go', () => {
  const other = { ...check, id: 'b' };
  const after = applyEvents(known, [
    { kind: 'check', check: other },
    { kind: 'check-gone', id: 'a' },
    { kind: 'group', group: { ...shop, name: 'Store' } },
    { kind: 'group-gone', id: 9 },
  ]);
  expect([...after.checks.values()]).toEqual([other]);
  expect(after.groups.get(1)?.name).toBe('Store');
  expect([after.layout, after.names]).toEqual([8, 8]);
});

import { expect, test } from 'vitest';
import { badgeLabel, badgeMessage } from '#shared/badges/badge.ts';
import { type Standing, standingOf, worstStanding } from '#shared/results/standing.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';

const ACTIVE = { activated: true };
const OFF = { activated: false };

test.each<[string, Parameters<typeof standingOf>, Standing]>([
  ['a check without a result', [ACTIVE, undefined, undefined], 'unknown'],
  ['a run that could not be made', [ACTIVE, undefined, keptStatus({ hasErrors: true })], 'unknown'],
  ['a run that passed', [ACTIVE, ACTIVE, keptStatus()], 'passing'],
  ['a slow run', [ACTIVE, undefined, keptStatus({ isDegraded: true })], 'degraded'],
  ['a failed run', [ACTIVE, undefined, keptStatus({ hasFailures: true })], 'failing'],
  ['a check that is off', [OFF, undefined, keptStatus({ hasFailures: true })], 'paused'],
  ['a check of a group that is off', [ACTIVE, OFF, keptStatus()], 'paused'],
])('%s is %s', (_, args, standing) => {
  expect(standingOf(...args)).toBe(standing);
});

test.each<[Standing[], Standing]>([
  [[], 'unknown'],
  [['paused'], 'paused'],
  [['paused', 'unknown'], 'unknown'],
  [['unknown', 'passing', 'paused'], 'passing'],
  [['passing', 'degraded', 'unknown'], 'degraded'],
  [['passing', 'failing', 'degraded'], 'failing'],
])('of %j the worst is %s', (states, worst) => {
  expect(worstStanding(states)).toBe(worst);
});

test.each([
  ['Shop', 'Shop'],
  [' two\r\nlines\u0000\u2028 ', 'two lines'],
  ['\uD800half\uFFFE', '\uFFFDhalf'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['\u{1F600}'.repeat(61), `${'\u{1F600}'.repeat(59)}…`],
])('the name %j is shown as %j', (name, label) => {
  expect(badgeLabel(name)).toBe(label);
});

test.each<[Standing, number | null, boolean, string]>([
  ['passing', 120, false, 'passing'],
  ['passing', 120, true, 'passing, 120 ms'],
  ['failing', 30_400, true, 'failing, 30 s'],
  ['unknown', null, true, 'unknown'],
  ['paused', 120, true, 'paused'],
])('%s with %s ms, asked for: %s, says %s', (state, responseTime, isAsked, message) => {
  expect(badgeMessage({ name: 'x', state, responseTime }, isAsked)).toBe(message);
});

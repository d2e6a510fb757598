import { afterEach, expect, test } from 'vitest';
import { createMutex } from '#main/platform/mutex.ts';
import { CheckGroups } from '#main/services/check-groups.ts';
import { Checks } from '#main/services/checks.ts';
import { Mutes } from '#main/services/mutes.ts';
import type { Check } from '#shared/checks/check.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { FakeMonitor } from '../../fixtures/fake-monitor.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Mutes of a check and a group, started. */
async function mutesOf({ isMuted = false } = {}) {
  const clock = new SimulatedClock();
  const configuration = new MemoryConfiguration();
  const check = makeCheck('URL', { muted: isMuted });
  await configuration.checks.put(check as Check);
  await configuration.groups.put(makeGroup('v2', {}, 7));
  const parts = { clock, configuration, mutex: createMutex() };
  const codeBundles = { refuseUnknown: async () => {} };
  const checks = new Checks({ ...parts, codeBundles, monitor: new FakeMonitor() });
  const checkGroups = new CheckGroups({ ...parts, checks });
  const errors: object[] = [];
  const log = { error: (about: object) => void errors.push(about) };
  const create = () => new Mutes({ ...parts, checks, checkGroups, log });
  const mutes = create();
  stops.push(mutes.start());
  const ofCheck = { kind: 'check', id: check.id } as const;
  const ofGroup = { kind: 'group', id: 7 } as const;
  const inAnHour = new Date(clock.now() + HOUR_MS).toISOString();
  const isCheckMuted = () => configuration.checks.get(check.id)?.muted;
  const isGroupMuted = () => configuration.groups.get('7')?.muted;
  return {
    clock,
    configuration,
    checks,
    mutes,
    create,
    ofCheck,
    ofGroup,
    inAnHour,
    isCheckMuted,
    isGroupMuted,
    errors,
  };
}

test('a check and a group are muted until a time, and unmuted at it', async () => {
  const { clock, configuration, mutes, ofCheck, ofGroup, inAnHour, ...are } = await mutesOf();
  expect(await mutes.mute(ofCheck, inAnHour)).toBe(inAnHour);
  await mutes.mute(ofGroup, new Date(clock.now() + 2 * HOUR_MS).toISOString());
  expect([are.isCheckMuted(), are.isGroupMuted()]).toEqual([true, true]);
  await clock.advance(HOUR_MS - 1);
  expect(are.isCheckMuted()).toBe(true);
  await clock.advance(1);
  await expect.poll(() => configuration.mutes.all().map(({ id }) => id)).toEqual(['7']);
  expect([are.isCheckMuted(), are.isGroupMuted()]).toEqual([false, true]);
  await clock.advance(HOUR_MS);
  await expect.poll(() => configuration.mutes.size).toBe(0);
  expect(are.isGroupMuted()).toBe(false);
});

test('the end outlives a restart, also one that was due meanwhile', async () => {
  const { clock, configuration, mutes, create, ofCheck, inAnHour, isCheckMuted } = await mutesOf();
  await mutes.mute(ofCheck, inAnHour);
  for (const stop of stops.splice(0)) stop();
  await clock.advance(2 * HOUR_MS);
  expect(isCheckMuted()).toBe(true);
  stops.push(create().start());
  await expect.poll(() => configuration.mutes.size).toBe(0);
  expect(isCheckMuted()).toBe(false);
});

test('whoever unmutes one, by whatever way, ends it: a later mute has no end', async () => {
  const { clock, configuration, checks, mutes, ofCheck, inAnHour, isCheckMuted } = await mutesOf();
  await mutes.mute(ofCheck, inAnHour);
  await checks.change(ofCheck.id, { name: 'another' });
  expect(mutes.untilOf(ofCheck)).toBe(inAnHour);
  await checks.change(ofCheck.id, { muted: false });
  await expect.poll(() => configuration.mutes.size).toBe(0);
  await checks.change(ofCheck.id, { muted: true });
  await clock.advance(2 * HOUR_MS);
  expect([isCheckMuted(), mutes.untilOf(ofCheck)]).toEqual([true, null]);
});

test('a mute without an end takes the place of one with an end', async () => {
  const { clock, mutes, ofCheck, inAnHour, isCheckMuted } = await mutesOf();
  await mutes.mute(ofCheck, inAnHour);
  expect(await mutes.mute(ofCheck, null)).toBeNull();
  await clock.advance(2 * HOUR_MS);
  expect(isCheckMuted()).toBe(true);
});

test('a check that is deleted leaves nothing', async () => {
  const { configuration, checks, mutes, ofCheck, inAnHour } = await mutesOf();
  await mutes.mute(ofCheck, inAnHour);
  await checks.delete(ofCheck.id);
  await expect.poll(() => configuration.mutes.size).toBe(0);
});

test('what the disk does not take is tried again, once a minute', async () => {
  const { clock, configuration, mutes, ofCheck, inAnHour, isCheckMuted, errors } = await mutesOf();
  await mutes.mute(ofCheck, inAnHour);
  configuration.checks.failure = new Error('full');
  await clock.advance(HOUR_MS);
  await expect.poll(() => errors.length).toBe(1);
  await clock.advance(MINUTE_MS / 2);
  expect(errors.length).toBe(1);
  configuration.checks.failure = undefined;
  await clock.advance(MINUTE_MS);
  await expect.poll(isCheckMuted).toBe(false);
  expect(errors.length).toBe(1);
});

test.each([-1, 0, 367 * 24 * HOUR_MS])(
  'an end in %s ms is refused, and nothing is muted',
  async (ms) => {
    const { clock, mutes, ofCheck, isCheckMuted } = await mutesOf();
    const until = new Date(clock.now() + ms).toISOString();
    await expect(mutes.mute(ofCheck, until)).rejects.toMatchObject({ code: 'INVALID' });
    expect(isCheckMuted()).toBe(false);
  },
);

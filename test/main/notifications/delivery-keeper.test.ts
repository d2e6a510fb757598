import { pino } from 'pino';
import { expect, test } from 'vitest';
import { HEALTHY } from '#main/notifications/channel-health.ts';
import { DeliveryWriter } from '#main/notifications/delivery-keeper.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { KeptNotifications, owed } from './fixtures.ts';

const withIncident = (key: string): ChannelState => ({
  health: HEALTHY,
  incidents: [{ key, checkIds: ['a'] }],
});

async function keeper() {
  const clock = new SimulatedClock();
  const store = new KeptNotifications();
  const log = pino({ level: 'silent' });
  const open = async () => {
    const opened = new DeliveryWriter({ history: store, clock, log });
    await opened.open();
    return opened;
  };
  return { clock, store, open, keeper: await open() };
}

test('a write that is tried again keeps what is known by then, not what was known before', async () => {
  const scene = await keeper();
  scene.store.writeFailure = new Error('disk full');
  expect(await scene.keeper.keep('1', [owed('a', 0)], withIncident('before'))).toBe(false);
  scene.store.writeFailure = undefined;
  expect(await scene.keeper.keep('1', [owed('b', 1)], withIncident('after'))).toBe(true);
  await scene.clock.advance(5_000);
  expect(scene.store.byId.size).toBe(2);
  expect(scene.store.states.get('1')).toEqual(withIncident('after'));
});

test('what no version of ours wrote says nothing of its channel', async () => {
  const { store, open } = await keeper();
  store.states.set('1', { health: 'good' } as unknown as ChannelState);
  store.states.set('2', withIncident('a'));
  const next = await open();
  expect([next.stateOf('1'), next.stateOf('2')]).toEqual([null, withIncident('a')]);
});

test('of a channel that is gone nothing is kept', async () => {
  const { store, keeper: one } = await keeper();
  await one.keep('1', [owed('a', 0)], withIncident('a'));
  one.forget('1');
  one.forget('2');
  await one.close();
  expect([store.states.size, one.stateOf('1')]).toEqual([0, null]);
});

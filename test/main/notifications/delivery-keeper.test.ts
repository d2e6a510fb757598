import { pino } from 'pino';
import { expect, test } from 'vitest';
import { HEALTHY } from '#main/notifications/channel-health.ts';
import { DeliveryWriter } from '#main/notifications/delivery-keeper.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { KeptNotifications, owed } from './fixtures.ts';

const failing = (failedInRow: number): ChannelState => ({
  health: { ...HEALTHY, failedInRow, failingSince: 1 },
  incidents: [],
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
  expect(await scene.keeper.keep('1', [owed('a', 0)], failing(1))).toBe(false);
  scene.store.writeFailure = undefined;
  expect(await scene.keeper.keep('1', [owed('b', 1)], failing(2))).toBe(true);
  await scene.clock.advance(5_000);
  expect(scene.store.byId.size).toBe(2);
  expect(scene.store.states.get('1')).toEqual(failing(2));
});

test('what no version of ours wrote says nothing of its channel', async () => {
  const { store, open } = await keeper();
  store.states.set('1', { health: 'good' } as unknown as ChannelState);
  store.states.set('2', failing(1));
  const next = await open();
  expect([next.stateOf('1'), next.stateOf('2')]).toEqual([null, failing(1)]);
});

test('of a channel that is gone nothing is kept', async () => {
  const { store, keeper: one } = await keeper();
  await one.keep('1', [owed('a', 0)], failing(1));
  one.forget('1');
  one.forget('2');
  await one.close();
  expect([store.states.size, one.stateOf('1')]).toEqual([0, null]);
});

test('the incidents that an older version kept of a channel are ignored', async () => {
  const { store, open } = await keeper();
  const incidents = [{ key: 'watchpost-storm-1', checkIds: ['a', 'b'] }];
  const kept = { ...failing(1), incidents } as unknown as ChannelState;
  store.states.set('1', kept);
  expect((await open()).stateOf('1')).toEqual(failing(1));
});

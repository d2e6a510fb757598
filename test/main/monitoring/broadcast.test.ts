import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Broadcast } from '#main/monitoring/broadcast.ts';

const IDS = Array.from({ length: 100 }, (_, n) => `check ${n}`);

test('many are told in their order, and others have their turn in between', async () => {
  const told: string[] = [];
  const toldBefore: number[] = [];
  const broadcast = new Broadcast(() => {});
  const all = broadcast.to(IDS, (id) => void told.push(id));
  while (told.length < IDS.length) {
    toldBefore.push(told.length);
    await nextTurn();
  }
  await all;
  expect(told).toEqual(IDS);
  expect(toldBefore.length).toBeGreaterThanOrEqual(4);
});

test('one that cannot be told keeps the news from no other', async () => {
  const told: string[] = [];
  const failed: [string, unknown][] = [];
  const error = new Error('a fault of ours');
  const broadcast = new Broadcast((id, cause) => void failed.push([id, cause]));
  await broadcast.to(IDS, (id) => {
    if (id === 'check 30') throw error;
    told.push(id);
  });
  expect(failed).toEqual([['check 30', error]]);
  expect(told).toHaveLength(99);
});

test('nobody is told after a stop', async () => {
  const told: string[] = [];
  const broadcast = new Broadcast(() => {});
  const all = broadcast.to(IDS, (id) => void told.push(id));
  await nextTurn();
  broadcast.stop();
  const before = told.length;
  await all;
  expect(told.length).toBe(before);
});

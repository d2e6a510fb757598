import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { RecordWriter } from '#main/store/history/record-writer.ts';
import { StoreError } from '#main/store/store-error.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';
import { makeResult, NOON } from '../records.ts';

/** A keeper over a store whose disk is full until it is not. */
function setUp() {
  const written: HistoryRecords[] = [];
  const said: { msg: string; lost?: number }[] = [];
  const store = { full: false };
  const clock = new SimulatedClock();
  const keeper = new RecordWriter({
    history: {
      async write(facts) {
        if (store.full) throw new StoreError('FULL', 'The disk is full.');
        written.push(facts);
      },
    },
    clock,
    log: pino({ level: 'info' }, { write: (line: string) => void said.push(JSON.parse(line)) }),
    isKnown: () => true,
  });
  const times = () => written.flatMap(({ results = [] }) => results.map((r) => r.result.createdAt));
  return { keeper, clock, store, said, written, times };
}

const factsOf = (n: number, detail = '{}'): HistoryRecords => ({
  results: [makeResult({ createdAt: NOON + n, detail })],
});

test('a follower that throws is no failure of the store, and the others are told all the same', async () => {
  const { keeper, said, written } = setUp();
  const told: string[] = [];
  const broken = () => {
    throw new Error('a fault of ours');
  };
  expect(await keeper.keep(factsOf(1), [broken, () => told.push('second')])).toBe(true);
  expect({ waiting: keeper.waiting, writes: written.length, told }).toEqual({
    waiting: 0,
    writes: 1,
    told: ['second'],
  });
  expect(said.map(({ msg }) => msg)).toEqual([
    'Whoever follows what is kept failed; it is kept all the same.',
  ]);
});

test('of what waits for a store that fails the newest 64 MiB are held, the oldest go first', async () => {
  const { keeper, clock, store, said, times } = setUp();
  store.full = true;
  const detail = JSON.stringify('x'.repeat(115_000));
  for (let n = 0; n < 1_000; n++) await keeper.keep(factsOf(n, detail));
  const most = Math.floor((64 * 1024 * 1024) / detail.length);
  expect(keeper.waiting).toBeGreaterThan(0.95 * most);
  expect(keeper.waiting).toBeLessThanOrEqual(most);
  const { waiting } = keeper;
  store.full = false;
  await clock.advance(10_000);
  expect(times()).toEqual(Array.from({ length: waiting }, (_, n) => NOON + 1_000 - waiting + n));
  expect(said.at(-1)).toMatchObject({
    msg: 'The history store works again.',
    lost: 1_000 - waiting,
  });
});

test('of small facts 20,000 wait at most', async () => {
  const { keeper, store } = setUp();
  store.full = true;
  for (let n = 0; n < 20_010; n++) await keeper.keep({});
  expect(keeper.waiting).toBe(20_000);
});

import pino from 'pino';
import { expect, test } from 'vitest';
import { LatestKeeper } from '#main/sessions/latest-keeper.ts';
import { StoreError, type StoreErrorCode } from '#main/store/store-error.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

/** A keeper of versions over a store whose writes take 10 ms and may fail. */
function setUp() {
  const clock = new SimulatedClock();
  const written: number[] = [];
  const store: { failure: StoreErrorCode | null; tries: number } = { failure: null, tries: 0 };
  const write = async ({ version }: { version: number }) => {
    store.tries++;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 10));
    if (store.failure) throw new StoreError(store.failure, 'The store failed.');
    written.push(version);
  };
  const keeper = new LatestKeeper<{ id: string; version: number }>({
    write,
    clock,
    log: pino({ level: 'silent' }),
  });
  const keep = (version: number, id = 'record') => keeper.keep({ id, version });
  return { clock, written, store, keeper, keep };
}

test('of the versions that come while one is written only the newest is written next', async () => {
  const { clock, written, keep } = setUp();
  const kept = [1, 2, 3, 4].map((version) => keep(version));
  await clock.advance(20);
  expect(await Promise.all(kept)).toEqual(kept.map(() => ({ kept: true })));
  expect(written).toEqual([1, 4]);
});

test('records do not wait for each other', async () => {
  const { clock, written, keep } = setUp();
  void keep(1, 'one');
  void keep(2, 'two');
  await clock.advance(10);
  expect(written).toEqual([1, 2]);
});

test('a write that fails is told, and tried again until it is kept', async () => {
  const { clock, written, store, keep } = setUp();
  store.failure = 'FULL';
  const kept = keep(1);
  await clock.advance(10);
  expect(await kept).toMatchObject({ kept: false, error: { code: 'FULL' } });
  store.failure = null;
  await clock.advance(1_010);
  expect(written).toEqual([1]);
});

test('a newer version takes the place of one that is tried again', async () => {
  const { clock, written, store, keep } = setUp();
  store.failure = 'FULL';
  void keep(1);
  await clock.advance(10);
  const newer = keep(2);
  store.failure = null;
  await clock.advance(1_010);
  expect(await newer).toEqual({ kept: true });
  expect(written).toEqual([2]);
});

test('what no store would take is not tried again', async () => {
  const { clock, store, keep } = setUp();
  store.failure = 'INVALID';
  void keep(1);
  await clock.advance(60_000);
  expect(store.tries).toBe(1);
});

test('a store that fails for half an hour is left alone', async () => {
  const { clock, store, keep } = setUp();
  store.failure = 'FULL';
  void keep(1);
  await clock.advance(3_600_000);
  expect(store.tries).toBe(1_800);
});

test('a version that is superseded while it is written, or waits, is not tried again', async () => {
  const { clock, written, store, keeper, keep } = setUp();
  store.failure = 'FULL';
  void keep(1);
  keeper.supersede('record');
  await clock.advance(5_000);
  void keep(2);
  await clock.advance(500);
  keeper.supersede('record');
  store.failure = null;
  await clock.advance(5_000);
  expect(written).toEqual([]);
  expect(store.tries).toBe(2);
});

test('closing waits for the write under way and tries nothing again', async () => {
  const { clock, store, keeper, keep } = setUp();
  store.failure = 'FULL';
  void keep(1, 'failing');
  await clock.advance(10);
  store.failure = null;
  const last = keep(2, 'last');
  let closed = false;
  const closing = keeper.close().then(() => {
    closed = true;
  });
  await clock.advance(5);
  expect(closed).toBe(false);
  await clock.advance(5);
  await closing;
  expect(await last).toEqual({ kept: true });
  expect(store.tries).toBe(2);
});

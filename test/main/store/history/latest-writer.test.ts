import pino from 'pino';
import { expect, test } from 'vitest';
import { LatestWriter } from '#main/store/history/latest-writer.ts';
import { StoreError, type StoreErrorCode } from '#main/store/store-error.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';

/** A keeper of versions over a store whose writes take 10 ms and may fail. */
function setUp() {
  const clock = new SimulatedClock();
  const written: number[] = [];
  const store = {
    failure: null as StoreErrorCode | null,
    /** A record that fails whatever becomes of the others. */
    bad: '',
    tries: 0,
    underWay: 0,
    mostAtOnce: 0,
  };
  const write = async ({ id, version }: { id: string; version: number }) => {
    store.tries++;
    store.underWay++;
    store.mostAtOnce = Math.max(store.mostAtOnce, store.underWay);
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 10));
    store.underWay--;
    if (store.failure) throw new StoreError(store.failure, 'The store failed.');
    if (id === store.bad) throw new StoreError('IO', 'The store failed.');
    written.push(version);
  };
  const said: string[] = [];
  const stream = { write: (line: string) => void said.push(String(JSON.parse(line).msg)) };
  const keeper = new LatestWriter<{ id: string; version: number }>({
    write,
    clock,
    log: pino({ level: 'info' }, stream),
  });
  const keep = (version: number, id = 'record') => keeper.keep({ id, version });
  return { clock, written, store, said, keeper, keep };
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
  const { clock, store, said, keep } = setUp();
  store.failure = 'FULL';
  void keep(1);
  await clock.advance(3_600_000);
  expect(store.tries).toBe(1_800);
  expect(said).toEqual([
    'The store failed; records wait in memory.',
    'Records that waited are given up.',
  ]);
});

test('while the store fails one of many records is tried each second, and the log has one line', async () => {
  const { clock, written, store, said, keep } = setUp();
  store.failure = 'FULL';
  const versions = Array.from({ length: 250 }, (_, n) => n);
  for (const version of versions) void keep(version, `record ${version}`);
  await clock.advance(60_000);
  // Each at once, then one in each round of 1,010 ms.
  expect(store.tries).toBe(250 + 59);
  store.failure = null;
  store.mostAtOnce = 0;
  // In between others have turns of the event loop.
  for (let n = 0; n < 50; n++) await clock.advance(100);
  expect(written.toSorted((a, b) => a - b)).toEqual(versions);
  expect(store.mostAtOnce).toBe(100);
  expect(said).toEqual([
    'The store failed; records wait in memory.',
    'The store keeps records again.',
  ]);
});

test('each version is tried at once while others wait for the store, and told', async () => {
  const { clock, store, keep } = setUp();
  store.failure = 'FULL';
  for (let n = 0; n < 20; n++) void keep(n, `record ${n}`);
  await clock.advance(100);
  const newer = keep(20, 'record 19');
  const newest = keep(21, 'record 19');
  await clock.advance(20);
  expect([await newer, await newest]).toMatchObject([{ kept: false }, { kept: false }]);
});

test('a record that alone fails holds up no other', async () => {
  const { clock, written, store, keep } = setUp();
  store.failure = 'FULL';
  store.bad = 'bad';
  void keep(0, 'bad');
  for (let version = 1; version <= 5; version++) void keep(version, `record ${version}`);
  await clock.advance(100);
  store.failure = null;
  for (let n = 0; n < 50; n++) await clock.advance(100);
  expect(written.toSorted()).toEqual([1, 2, 3, 4, 5]);
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

test('closing writes the version that waits for the write under way, and tells what came of it', async () => {
  const { clock, written, keeper, keep } = setUp();
  const kept = [keep(1), keep(2)];
  const closing = keeper.close();
  await clock.advance(20);
  await closing;
  expect(written).toEqual([1, 2]);
  expect(await Promise.all(kept)).toEqual([{ kept: true }, { kept: true }]);
});

test('what comes after the close is not kept, and told so', async () => {
  const { clock, store, keeper, keep } = setUp();
  await keeper.close();
  expect(await keep(1)).toMatchObject({ kept: false, error: { code: 'CLOSED' } });
  await clock.advance(5_000);
  expect(store.tries).toBe(0);
});

test('of what waits for a store that fails the newest 64 MiB are held', async () => {
  const clock = new SimulatedClock();
  const store = { fails: true, kept: [] as number[] };
  const keeper = new LatestWriter<{ id: string; version: number; body: string }>({
    write: async ({ version }) => {
      if (store.fails) throw new StoreError('IO', 'The store failed.');
      store.kept.push(version);
    },
    clock,
    log: pino({ level: 'silent' }),
  });
  const body = 'x'.repeat(1_000_000);
  for (let version = 0; version < 100; version++) {
    await keeper.keep({ id: String(version), version, body });
  }
  store.fails = false;
  await clock.advance(10_000);
  expect(store.kept).toEqual(Array.from({ length: 67 }, (_, index) => 33 + index));
});

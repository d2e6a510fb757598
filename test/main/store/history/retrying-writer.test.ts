import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { RetryingWriter } from '#main/store/history/retrying-writer.ts';
import { StoreError, type StoreErrorCode } from '#main/store/store-error.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';

/** A writer over a store whose writes take 10 ms and may fail. */
function setUp() {
  const clock = new SimulatedClock();
  const written: number[] = [];
  const store = {
    failure: null as StoreErrorCode | null,
    /** A record that fails whatever becomes of the others, and how. */
    bad: Number.NaN,
    badly: 'IO' as StoreErrorCode,
    tries: 0,
    underWay: 0,
    mostAtOnce: 0,
  };
  const put = async (version: number) => {
    store.tries++;
    store.underWay++;
    store.mostAtOnce = Math.max(store.mostAtOnce, store.underWay);
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 10));
    store.underWay--;
    if (store.failure) throw new StoreError(store.failure, 'The store failed.');
    if (version === store.bad) throw new StoreError(store.badly, 'The store failed.');
    written.push(version);
  };
  const said: { msg: string; lost?: number; records?: number }[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void said.push(JSON.parse(line)) },
  );
  const writer = new RetryingWriter({ clock, log });
  const write = (version: number, key?: string, body = '') =>
    writer.write({ ...(key && { key }), write: () => put(version), content: { version, body } });
  /** A version of a record. */
  const keep = (version: number, key = 'record') => write(version, key).tried;
  /** What happened. */
  const happen = (number: number, body?: string) => write(number, undefined, body);
  const messages = () => said.map(({ msg }) => msg);
  return { clock, written, store, said, messages, writer, keep, happen, write };
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);

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

test('while the store fails the first hundred records are tried each second, and the log has one line', async () => {
  const { clock, written, store, messages, keep } = setUp();
  store.failure = 'FULL';
  for (const version of numbers(250)) void keep(version, `record ${version}`);
  await clock.advance(60_000);
  // Each at once, then those of each round of 1,010 ms.
  expect(store.tries).toBe(250 + 59 * 100);
  store.failure = null;
  store.mostAtOnce = 0;
  // In between others have turns of the event loop.
  for (let n = 0; n < 50; n++) await clock.advance(100);
  expect(written.toSorted((a, b) => a - b)).toEqual(numbers(250));
  // The rest follow at once, as those were taken.
  expect(store.mostAtOnce).toBe(150);
  expect(messages()).toEqual([
    'The history store failed; records wait in memory.',
    'The history store works again.',
  ]);
});

test('a store that works again catches up with 3,000 records waiting and three more each millisecond', async () => {
  const { clock, store, writer, happen } = setUp();
  store.failure = 'FULL';
  for (const number of numbers(3_000)) void happen(number);
  await clock.advance(10);
  store.failure = null;
  for (let ms = 0; ms < 2_000; ms++) {
    for (const number of numbers(3, 3_000 + 3 * ms)) void happen(number);
    await clock.advance(1);
    await nextTurn();
  }
  expect(writer.waiting).toBe(0);
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

test.each<StoreErrorCode>(['IO', 'INVALID'])(
  'a record that alone fails as %s holds up no other',
  async (badly) => {
    const { clock, written, store, keep, happen } = setUp();
    store.failure = 'FULL';
    Object.assign(store, { bad: 0, badly });
    void keep(0, 'bad');
    for (const version of numbers(5, 1)) void keep(version, `record ${version}`);
    await clock.advance(100);
    for (const version of numbers(5, 6)) happen(version);
    store.failure = null;
    for (let n = 0; n < 50; n++) await clock.advance(100);
    expect(written).toEqual(numbers(10, 1));
  },
);

test('what happened is written in its order: it waits while anything older does', async () => {
  const { clock, written, store, happen, keep } = setUp();
  store.failure = 'FULL';
  const [first, second] = [happen(1), happen(2)];
  await clock.advance(10);
  expect(await first.tried).toMatchObject({ kept: false, error: { code: 'FULL' } });
  store.failure = null;
  expect(await happen(3).tried).toMatchObject({ kept: false, error: { code: 'BUSY' } });
  // A version of a record does not wait.
  const version = keep(4);
  await clock.advance(10);
  expect(await version).toEqual({ kept: true });
  for (let n = 0; n < 20; n++) await clock.advance(100);
  expect(written).toEqual([4, 1, 2, 3]);
  await Promise.all([first.written, second.written]);
});

test('a write is said to be written before its try is over', async () => {
  const { clock, happen } = setUp();
  const { tried, written } = happen(1);
  const order: string[] = [];
  void tried.then(() => order.push('tried'));
  void written.then(() => order.push('written'));
  await clock.advance(10);
  expect(order).toEqual(['written', 'tried']);
});

test('what waits in its place is tried again in it, whatever came after it', async () => {
  const { clock, written, store, happen } = setUp();
  store.failure = 'FULL';
  for (const number of numbers(150)) happen(number);
  await clock.advance(5_000);
  for (const number of numbers(150, 150)) happen(number);
  store.failure = null;
  for (let n = 0; n < 50; n++) await clock.advance(100);
  expect(written).toEqual(numbers(300));
});

test('a version that is superseded while it is written, or waits, is not tried again', async () => {
  const { clock, written, store, writer, keep } = setUp();
  store.failure = 'FULL';
  void keep(1);
  writer.supersede('record');
  await clock.advance(5_000);
  void keep(2);
  await clock.advance(500);
  writer.supersede('record');
  store.failure = null;
  await clock.advance(5_000);
  expect(written).toEqual([]);
  expect(store.tries).toBe(2);
});

test('closing waits for the write under way and tries nothing again', async () => {
  const { clock, store, writer, keep } = setUp();
  store.failure = 'FULL';
  void keep(1, 'failing');
  await clock.advance(10);
  store.failure = null;
  const last = keep(2, 'last');
  let closed = false;
  const closing = writer.close().then(() => {
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
  const { clock, written, writer, keep } = setUp();
  const kept = [keep(1), keep(2)];
  const closing = writer.close();
  await clock.advance(20);
  await closing;
  expect(written).toEqual([1, 2]);
  expect(await Promise.all(kept)).toEqual([{ kept: true }, { kept: true }]);
});

test('what comes after the close is not kept, and told so', async () => {
  const { clock, store, writer, keep } = setUp();
  await writer.close();
  expect(await keep(1)).toMatchObject({ kept: false, error: { code: 'CLOSED' } });
  await clock.advance(5_000);
  expect(store.tries).toBe(0);
});

test('what waits at the close is lost, and the log says how much', async () => {
  const { clock, store, said, writer, keep, happen } = setUp();
  store.failure = 'FULL';
  void keep(1);
  happen(2);
  await clock.advance(10);
  await writer.close();
  expect(said.at(-1)).toMatchObject({
    msg: 'Records that waited for the store are lost at the stop.',
    records: 2,
  });
});

const RECORDS = { 'versions of records': true, 'what happened': false };

test.each(Object.entries(RECORDS))(
  'of %s that wait the newest 64 MiB are held',
  async (_, isKeyed) => {
    const { clock, written, store, said, writer, write } = setUp();
    store.failure = 'FULL';
    const body = 'x'.repeat(1_000_000);
    for (const version of numbers(100)) {
      write(version, isKeyed ? String(version) : undefined, body);
    }
    await clock.advance(20);
    expect(writer.waiting).toBe(67);
    store.failure = null;
    for (let n = 0; n < 20; n++) await clock.advance(100);
    expect(written).toEqual(numbers(67, 33));
    expect(said.at(-1)).toMatchObject({ msg: 'The history store works again.', lost: 33 });
  },
);

test('of small records 20,000 wait at most', async () => {
  const { clock, store, writer, happen } = setUp();
  store.failure = 'FULL';
  for (const number of numbers(20_010)) happen(number);
  await clock.advance(20);
  expect(writer.waiting).toBe(20_000);
});

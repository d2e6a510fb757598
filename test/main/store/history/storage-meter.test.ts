import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openHistory } from '#main/store/history/open-history.ts';
import { DEFAULT_RETENTION } from '#main/store/history/retention.ts';
import { StorageMeter } from '#main/store/history/storage-meter.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';
import { makeEvent, makeResults, NOON } from '../records.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openWriter, runToEnd } from './open-writer.ts';

const DAY = 86_400_000;
const MIDNIGHT = Math.floor(NOON / DAY) * DAY;

test('every page of the file counts for one kind, with the oldest of each', () => {
  const { writer, database } = openWriter();
  const meter = new StorageMeter(database, DEFAULT_RETENTION);
  expect(meter.measure().map(({ oldestAt }) => oldestAt)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  for (const start of [NOON + DAY, NOON]) {
    writer.write([{ results: makeResults(randomUUID(), 2_000, { createdAt: start }) }]);
    writer.write([{ heartbeatEvents: [makeEvent({ timestamp: start + 1 })] }]);
  }
  runToEnd(writer.sumUp(NOON + 3 * DAY));
  const kinds = meter.measure();
  const bytes = Object.fromEntries(kinds.map((one) => [one.kind, one.bytes]));
  const total = kinds.reduce((sum, one) => sum + one.bytes, 0);
  expect(total).toBe(writer.stateAt(NOON).usedBytes);
  expect(bytes.results).toBeGreaterThan(bytes.bodies ?? 0);
  expect(bytes.bodies).toBeGreaterThan(100_000);
  // What is left are empty tables: a table counts with its indexes.
  expect(bytes.other).toBeLessThan(300_000);
  expect(kinds.map(({ kind, days, oldestAt }) => [kind, days, oldestAt])).toEqual([
    ['results', 30, NOON],
    ['heartbeatEvents', 30, NOON + 1],
    // The bodies of the later day were written first.
    ['bodies', 30, NOON + DAY],
    ['rollUps', 400, MIDNIGHT],
    ['artifacts', 14, null],
    ['other', 30, null],
  ]);
});

test('a history is measured beside its writer, once in ten minutes', async () => {
  const clock = new SimulatedClock(NOON);
  const history = await openHistory(temporaryFolder(), { clock, retention: { resultDays: 7 } });
  const first = await history.measure();
  expect(first[0]).toMatchObject({ kind: 'results', days: 7 });
  await history.write({ results: makeResults(randomUUID(), 500) });
  clock.jump(599_999);
  expect(await history.measure()).toBe(first);
  clock.jump(1);
  expect((await history.measure())[0]?.bytes).toBeGreaterThan(first[0]?.bytes ?? 0);
  await history.close();
});

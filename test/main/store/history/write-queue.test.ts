import { expect, test } from 'vitest';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { type QueueOptions, WriteQueue } from '#main/store/history/write-queue.ts';
import type { Outcome } from '#main/store/history/writer.ts';
import { StoreError } from '#main/store/store-error.ts';
import { makeEvent, makeResults } from '../records.ts';
import { makeBatch, makeSession, makeSessionResult, makeTestResult } from '../session-records.ts';

const KEPT: Outcome = { kept: true, refused: 0, oversized: 0 };
const OPTIONS: QueueOptions = { gatherMs: 0, maxRecords: 5_000, maxChars: 1_000_000 };

/** A queue over a store that answers when it is told to. */
function setUp(options: Partial<QueueOptions> = {}) {
  const sent: (readonly HistoryRecords[])[] = [];
  const answers: PromiseWithResolvers<readonly Outcome[]>[] = [];
  let arrived = Promise.withResolvers<void>();
  const queue = new WriteQueue(
    (batch) => {
      sent.push(batch);
      const answer = Promise.withResolvers<readonly Outcome[]>();
      answers.push(answer);
      arrived.resolve();
      arrived = Promise.withResolvers();
      return answer.promise;
    },
    () => undefined,
    { ...OPTIONS, ...options },
  );
  const nextBatch = () => arrived.promise;
  return { queue, sent, answers, nextBatch };
}

const one = (): HistoryRecords => ({ heartbeatEvents: [makeEvent()] });

test('what comes while a batch is under way shares the next one', async () => {
  const { queue, sent, answers, nextBatch } = setUp();
  const batch = nextBatch();
  const first = queue.write(one());
  await batch;
  const next = nextBatch();
  const others = Array.from({ length: 200 }, () => queue.write(one()));
  answers[0]?.resolve([KEPT]);
  await first;
  await next;
  expect(sent.map(({ length }) => length)).toEqual([1, 200]);
  answers[1]?.resolve(Array.from({ length: 200 }, () => KEPT));
  await Promise.all(others);
});

test('what waits is counted, and how long each batch took is told', async () => {
  const { queue, answers, nextBatch } = setUp();
  const took: number[] = [];
  queue.listen((ms) => took.push(ms));
  const batch = nextBatch();
  const writes = [one(), one()].map((records) => queue.write(records));
  expect(queue.waiting).toBe(2);
  await batch;
  expect([queue.waiting, took]).toEqual([2, []]);
  answers[0]?.resolve([KEPT, KEPT]);
  await Promise.all(writes);
  await queue.close();
  expect([queue.waiting, took]).toEqual([0, [expect.any(Number)]]);
});

test('how full the queue is, is told of records or of characters, whichever is more', async () => {
  const { queue, answers, nextBatch } = setUp({ maxRecords: 10, maxChars: 100 });
  expect(queue.filled(0)).toBe(0);
  const batch = nextBatch();
  const writes = [queue.write(one()), queue.write(one())];
  expect([0, 6, 9, 10, 100].map((toCome) => queue.filled(toCome))).toEqual([
    0.2,
    0.5,
    2,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
  writes.push(queue.write({ results: makeResults('a', 1, { detail: 'x'.repeat(60) }) }));
  expect(queue.filled(0)).toBe(0.6);
  await batch;
  answers[0]?.resolve([KEPT, KEPT, KEPT]);
  await Promise.all(writes);
  expect([0, 100].map((toCome) => queue.filled(toCome))).toEqual([0, Number.POSITIVE_INFINITY]);
});

test('a batch holds at most 1,000 facts, but one caller’s facts are never divided', async () => {
  const { queue, sent, answers, nextBatch } = setUp();
  const large = { results: makeResults('a', 1_500, { detail: '{}' }) };
  const small = Array.from({ length: 1_001 }, one);
  const writes: Promise<void>[] = [];
  for (const facts of [large, ...small]) writes.push(queue.write(facts));
  for (let index = 0; index < 3; index++) {
    await nextBatch();
    answers[index]?.resolve((sent[index] ?? []).map(() => KEPT));
  }
  await Promise.all(writes);
  expect(sent.map(({ length }) => length)).toEqual([1, 1_000, 1]);
});

test('each caller hears of its own outcome', async () => {
  const { queue, answers, nextBatch } = setUp();
  const batch = nextBatch();
  const writes = [queue.write(one()), queue.write(one()), queue.write(one())];
  await batch;
  answers[0]?.resolve([KEPT, { kept: false, code: 'INVALID', message: 'No UUID.' }, KEPT]);
  expect(await Promise.allSettled(writes)).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'INVALID', message: 'No UUID.' } },
    { status: 'fulfilled' },
  ]);
});

test('a store that fails rejects what it was given, and takes what comes later', async () => {
  const { queue, answers, nextBatch } = setUp();
  let batch = nextBatch();
  const lost = queue.write(one());
  await batch;
  batch = nextBatch();
  answers[0]?.reject(new StoreError('LOST', 'The writer died.'));
  await expect(lost).rejects.toMatchObject({ code: 'LOST' });
  const later = queue.write(one());
  await batch;
  answers[1]?.resolve([KEPT]);
  await later;
});

test('facts that cannot cross threads are refused alone', async () => {
  const kept: HistoryRecords[] = [];
  const queue = new WriteQueue(
    async (batch) => {
      structuredClone(batch);
      kept.push(...batch);
      return batch.map(() => KEPT);
    },
    () => undefined,
    OPTIONS,
  );
  const bad: HistoryRecords = {
    states: [{ checkId: 'a', state: { actor: { callback: () => 1 }, status: null } }],
  };
  const good = [one(), one()];
  const outcomes = await Promise.allSettled(
    [good[0], bad, good[1]].map((f) => queue.write(f ?? {})),
  );
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'INVALID' } },
    { status: 'fulfilled' },
  ]);
  expect(kept).toEqual(good);
});

test.each<[string, Partial<QueueOptions>]>([
  ['facts', { maxRecords: 3 }],
  ['characters', { maxChars: 30 }],
])('with too many %s waiting a write is refused, until there is room again', async (_, bounds) => {
  const { queue, answers, nextBatch } = setUp(bounds);
  const batch = nextBatch();
  const fits = { results: makeResults('a', 3, { detail: '0123456789' }) };
  const first = queue.write(fits);
  await expect(queue.write({ results: makeResults('a', 1) })).rejects.toMatchObject({
    code: 'BUSY',
  });
  await batch;
  answers[0]?.resolve([KEPT]);
  await first;
  const next = nextBatch();
  const second = queue.write(fits);
  await next;
  answers[1]?.resolve([KEPT]);
  await second;
});

const manyRuns = Array.from({ length: 10 }, () => makeTestResult());
const ofTests = manyRuns.map((result) => ({ sessionId: 'a', result }));
const withDetail = { sessionId: 'a', result: makeTestResult(), detail: 'x'.repeat(2_000) };

test.each<[string, HistoryRecords]>([
  ['sessions', { sessions: [makeSession({ results: manyRuns.map(() => makeSessionResult()) })] }],
  ['results of test sessions', { testResults: ofTests }],
  ['their details', { testResults: [withDetail] }],
  ['batches', { batches: [makeBatch(Array.from({ length: 100 }, () => makeSession()))] }],
])('%s count by their length and by their number', async (_, facts) => {
  const busy = { code: 'BUSY' };
  await expect(setUp({ maxChars: 1_500 }).queue.write(facts)).rejects.toMatchObject(busy);
  await expect(setUp({ maxRecords: 0 }).queue.write(facts)).rejects.toMatchObject(busy);
  const { queue, answers, nextBatch } = setUp({ maxRecords: 10, maxChars: 5_000 });
  const batch = nextBatch();
  const fits = queue.write(facts);
  await batch;
  answers[0]?.resolve([KEPT]);
  await fits;
});

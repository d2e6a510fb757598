import { setImmediate as immediate } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { PENDING_PAGE, PendingQueue } from '#main/notifications/pending-queue.ts';
import type { PendingQuery } from '#main/store/history/history.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { KeptNotifications, owed } from './fixtures.ts';

/** A backlog over a store that counts what is read, and answers a page when it is told to. */
function backlogScene(max: number) {
  const store = new KeptNotifications();
  const delivered: StoredNotification[] = [];
  const held: StoredNotification[] = [];
  const followed: string[] = [];
  const reads = { rows: 0, pages: 0, largest: 0 };
  let answers: (() => void)[] = [];
  const answer = async () => {
    await immediate();
    const due = answers;
    answers = [];
    for (const one of due) one();
    await immediate();
    return due.length > 0;
  };
  const backlog = new PendingQueue({
    history: {
      async loadPendingNotifications(query: PendingQuery) {
        const page = await store.loadPendingNotifications(query);
        reads.pages += 1;
        reads.rows += page.length;
        reads.largest = Math.max(reads.largest, page.length);
        await new Promise<void>((resolve) => answers.push(resolve));
        return page;
      },
    },
    clock: new SimulatedClock(),
    log: pino({ level: 'silent' }),
    max,
    follow: (id) => followed.push(id),
    deliver(notifications) {
      delivered.push(...notifications);
      held.push(...notifications);
    },
  });
  const keep = (...notifications: StoredNotification[]) => store.write({ notifications });
  const settle = async (count: number) => {
    const told = held.splice(0, count);
    await keep(...told.map((one) => ({ ...one, status: 'SUCCESS' as const })));
    backlog.release(told);
  };
  const settleAll = async () => {
    for (let isMore = true; isMore; ) {
      isMore = await answer();
      isMore ||= held.length > 0;
      await settle(held.length);
    }
  };
  return { backlog, delivered, followed, held, reads, keep, answer, settle, settleAll };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => owed('x', index + 1));

test('what is owed is read by pages, each row about once, and held up to a bound', async () => {
  const { backlog, delivered, held, reads, keep, answer, settle } = backlogScene(2_000);
  const all = many(10_000);
  await keep(...all);
  void backlog.open();
  let mostHeld = 0;
  while (delivered.length < all.length) {
    for (let isReading = true; isReading; ) isReading = await answer();
    mostHeld = Math.max(mostHeld, held.length);
    await settle(100);
  }
  expect(delivered).toEqual(all);
  expect(mostHeld).toBe(2_000);
  expect(reads.largest).toBe(PENDING_PAGE);
  expect(reads.rows).toBeLessThan(1.1 * all.length);
});

test('once it is open, ids follow the last that was read', async () => {
  const { backlog, followed, keep, answer } = backlogScene(2_000);
  const all = many(PENDING_PAGE + 1);
  await keep(...all);
  const opened = backlog.open();
  while (await answer());
  await opened;
  expect(followed).toEqual([all[PENDING_PAGE - 1]?.id, all[PENDING_PAGE]?.id]);
});

test('where nothing more is owed nothing is read again, whatever comes', async () => {
  const { backlog, delivered, reads, keep, settleAll } = backlogScene(2_000);
  void backlog.open();
  await settleAll();
  for (const one of many(1_500)) {
    await keep(one);
    backlog.enqueue([one]);
  }
  await settleAll();
  expect(delivered).toHaveLength(1_500);
  expect(reads).toMatchObject({ pages: 1, rows: 0 });
});

type Act = { act: 'come'; at: number } | { act: 'answer' } | { act: 'settle'; count: number };

const acts = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ act: fc.constant('come' as const), at: fc.nat(50) }) },
    { weight: 3, arbitrary: fc.constant<Act>({ act: 'answer' }) },
    {
      weight: 2,
      arbitrary: fc.record({ act: fc.constant('settle' as const), count: fc.nat(4) }),
    },
  ),
  { maxLength: 150 },
);

test.each([1, 2, 5, 20])(
  'with room for %i each is handed over once, in whichever order of ids they come',
  async (max) => {
    await fc.assert(
      fc.asyncProperty(acts, fc.nat(30), async (scenario, before) => {
        const { backlog, delivered, held, keep, answer, settle, settleAll } = backlogScene(max);
        const all = many(before);
        await keep(...all);
        void backlog.open();
        for (const step of scenario) {
          if (step.act === 'come') {
            const one = owed(`n${all.length}`, step.at);
            all.push(one);
            await keep(one);
            backlog.enqueue([one]);
          }
          if (step.act === 'answer') await answer();
          if (step.act === 'settle') await settle(step.count);
          expect(held.length).toBeLessThanOrEqual(max);
        }
        await settleAll();
        expect(delivered.map(({ id }) => id).toSorted()).toEqual(
          all.map(({ id }) => id).toSorted(),
        );
      }),
    );
  },
);

test.each([1, 3, 20])(
  'with room for %i none overtakes another that came before it',
  async (max) => {
    await fc.assert(
      fc.asyncProperty(acts, async (scenario) => {
        const { backlog, delivered, keep, answer, settle, settleAll } = backlogScene(max);
        let at = 0;
        void backlog.open();
        for (const step of scenario) {
          if (step.act === 'come') {
            at += 1;
            await keep(owed('x', at));
            backlog.enqueue([owed('x', at)]);
          }
          if (step.act === 'answer') await answer();
          if (step.act === 'settle') await settle(step.count);
        }
        await settleAll();
        expect(delivered.map(({ createdAt }) => createdAt)).toEqual(
          Array.from({ length: at }, (_, index) => index + 1),
        );
      }),
    );
  },
);

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '#main/notifications/channels/sender.ts';
import type { OutboxLimits } from '#main/notifications/delivery-port.ts';
import { MAX_PENDING } from '#main/notifications/outbox.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import {
  type Answer,
  FAILED,
  KeptNotifications,
  outboxScene,
  owed,
  REFUSED,
  type Sending,
  TOLD,
  webhook,
} from './fixtures.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const never = new Promise<never>(() => {});

test('the log has a line for each message that was sent, and for each that was not taken', async () => {
  const { log, lines } = recordedLog();
  const { clock, take, answerWith } = await outboxScene({ log });
  answerWith(({ atMs }) => (atMs === 0 ? FAILED : TOLD));
  await take(owed('a', clock.now()));
  await clock.advance(MINUTE);
  expect(lines).toMatchObject([
    {
      level: 'warn',
      channelId: '1',
      msg: 'Not sent to WEBHOOK hook 1 (HTTP 503 in 5 ms): "a" has failed',
    },
    { level: 'info', channelId: '1', msg: 'Sent to WEBHOOK hook 1: "a" has failed' },
  ]);
});

test('listeners hear what became of each notification, once it is pending no more', async () => {
  const { clock, desk, take, answerWith } = await outboxScene({ channels: ['1', '2'] });
  const heard: string[] = [];
  desk.listen(({ channelId, status }) => heard.push(`${channelId} ${status}`));
  answerWith(({ channelId }) => (channelId === '1' ? REFUSED : TOLD));
  const storm = Array.from({ length: 8 }, (_, n) => owed(`s${n}`, clock.now(), { channelId: '2' }));
  await take(owed('a', clock.now()), ...storm);
  expect([desk.pending, heard]).toEqual([9, []]);
  await clock.advance(10 * MINUTE);
  const counts = Map.groupBy(heard, (word) => word).entries();
  expect(new Map([...counts].map(([word, all]) => [word, all.length]))).toEqual(
    new Map([
      ['1 FAILURE', 1],
      ['2 DIGESTED', 8],
      ['2 SUCCESS', 1],
    ]),
  );
  expect(desk.pending).toBe(0);
});

describe('a channel', () => {
  test('that is slow, or fails, delays no other', async () => {
    const { clock, take, sent, words, answerWith } = await outboxScene({
      channels: ['1', '2', '3'],
    });
    answerWith(({ channelId }) => ({ '1': never, '2': FAILED })[channelId] ?? TOLD);
    for (const name of ['a', 'b', 'c', 'd']) {
      await take(...['1', '2', '3'].map((channelId) => owed(name, clock.now(), { channelId })));
      await clock.advance(10_000);
    }
    expect(words('3')).toEqual(['a', 'b', 'c', 'd']);
    expect(sent.filter(({ channelId }) => channelId === '3').map(({ atMs }) => atMs)).toEqual([
      0, 10_000, 20_000, 30_000,
    ]);
    expect([words('1'), words('2')]).toEqual([['a'], ['a', 'a', 'a']]);
  });

  test('that never ends a send has it tried again', async () => {
    const { clock, take, sent, answerWith } = await outboxScene();
    answerWith(({ atMs }) => (atMs === 0 ? never : TOLD));
    await take(owed('a', clock.now()));
    await clock.advance(10 * MINUTE);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 80_000]);
  });

  test('whose sender breaks goes on', async () => {
    const { clock, take, words, store, answerWith } = await outboxScene();
    answerWith(({ word }) => {
      if (word === 'a') throw new Error('a fault of ours');
      return TOLD;
    });
    await take(owed('a', clock.now()));
    await take(owed('b', clock.now()));
    await clock.advance(10 * MINUTE);
    expect(words()).toEqual(['a', 'a', 'a', 'a', 'a', 'a', 'b']);
    expect(store.byId.get(owed('a', clock.now() - 10 * MINUTE).id)?.outcome).toBe(
      'a fault of Watchpost; its log says more',
    );
  });

  test('that is dead is told of over the others that have no trouble, once, and once when it works', async () => {
    const { clock, take, words, sent, store, channels, answerWith } = await outboxScene({
      channels: ['1', '2', '3'],
    });
    await channels.put(webhook('4', { sendFailure: false }));
    let works = false;
    answerWith(({ channelId }) =>
      channelId === '3' || (channelId === '1' && !works) ? FAILED : TOLD,
    );
    await take(owed('x', clock.now(), { channelId: '3' }));
    for (const name of ['a', 'b', 'c']) await take(owed(name, clock.now()));
    await clock.advance(HOUR);
    expect([words('2'), words('4')]).toEqual([['CHANNEL_DEAD'], []]);
    expect(words('3').filter((word) => word !== 'x')).toEqual([]);
    expect(sent.find(({ word }) => word === 'CHANNEL_DEAD')?.notice).toMatchObject({
      reason: 'WEBHOOK hook 1 takes no messages: HTTP 503 in 5 ms',
    });
    works = true;
    await take(owed('d', clock.now()));
    await clock.advance(HOUR);
    expect(words('2')).toEqual(['CHANNEL_DEAD', 'CHANNEL_DEAD over']);
    const news = [...store.byId.values()].filter(({ notice }) => notice.kind === 'own');
    expect(news.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
  });

  test('that is deleted settles what it owes, and what comes for it', async () => {
    const { clock, take, words, store, channels, answerWith } = await outboxScene();
    answerWith(() => FAILED);
    await take(owed('a', clock.now()));
    await clock.advance(1_000);
    await channels.delete('1');
    await take(owed('b', clock.now()));
    await clock.advance(HOUR);
    expect(words()).toEqual(['a']);
    expect([...store.byId.values()].map(({ status, outcome }) => [status, outcome])).toEqual([
      ['FAILURE', 'The channel was deleted.'],
      ['FAILURE', 'The channel was deleted.'],
    ]);
  });
});

test('a channel whose actor fails begins anew with what the store has', async () => {
  const { clock, take, words, channels } = await outboxScene();
  const get = channels.get.bind(channels);
  let isBroken = true;
  channels.get = (id) => {
    if (isBroken) throw new Error('a fault of ours');
    return get(id);
  };
  await take(owed('a', clock.now()));
  isBroken = false;
  await take(owed('b', clock.now()));
  await clock.advance(MINUTE);
  expect(words()).toEqual(['a', 'b']);
});

test('a recovery is told after its failure where the clock is behind after a restart', async () => {
  const store = new KeptNotifications();
  const run = async (sinceMs: number, alertType: 'ALERT_FAILURE' | 'ALERT_RECOVERY') => {
    const clock = new SimulatedClock();
    await clock.advance(sinceMs);
    const { desk, take, crash } = await outboxScene({ store, clock, answer: () => FAILED });
    await take({ ...owed('a', clock.now(), { alertType }), id: desk.stamp().id });
    await clock.advance(100);
    crash();
  };
  await run(MINUTE, 'ALERT_FAILURE');
  await run(MINUTE - 10_000, 'ALERT_RECOVERY');
  const { clock, words } = await outboxScene({ store });
  await clock.advance(10 * MINUTE);
  expect(words()).toEqual(['a', 'a ok']);
});

describe('a resend', () => {
  test('is a new notification with the same notice', async () => {
    const { clock, take, words, store, desk } = await outboxScene();
    const first = owed('a', clock.now());
    await take(first);
    await clock.advance(MINUTE);
    const again = await desk.resend(first.id);
    await clock.advance(MINUTE);
    expect(words()).toEqual(['a', 'a']);
    expect(again).toMatchObject({ status: 'PENDING', tries: 0, notice: first.notice });
    expect(store.byId.get(again?.id ?? '')).toMatchObject({ status: 'SUCCESS', tries: 1 });
    expect(again?.id).not.toBe(first.id);
  });

  test('of what is unknown, or of a channel that is gone, is none', async () => {
    const { clock, take, desk, channels } = await outboxScene();
    const first = owed('a', clock.now());
    await take(first);
    await clock.advance(MINUTE);
    expect(await desk.resend('unknown')).toBeNull();
    await channels.delete('1');
    expect(await desk.resend(first.id)).toBeNull();
  });
});

describe('while the store fails', () => {
  test('alerts leave, none twice, and are settled once it works', async () => {
    const { clock, desk, words, store } = await outboxScene();
    const alerts = [owed('a', clock.now()), owed('b', clock.now() + 1)];
    await store.write({ notifications: alerts });
    store.failure = new StoreError('FULL', 'no room');
    for (const alert of alerts) desk.enqueue([alert]);
    await clock.advance(10 * MINUTE);
    expect(words()).toEqual(['a', 'b']);
    store.failure = undefined;
    await clock.advance(2_000);
    expect(store.statuses()).toEqual({ SUCCESS: 2 });
  });

  test('what was sent is not sent again, though the store still has it as owed', async () => {
    const { clock, desk, words, store } = await outboxScene({
      maxPending: 2,
      limits: { stormAlerts: 0, messagesPerMinute: 1_000 },
    });
    const alerts = ['a', 'b', 'c', 'd'].map((name) => owed(name, clock.now()));
    await store.write({ notifications: alerts });
    store.writeFailure = new StoreError('FULL', 'no room');
    for (const alert of alerts) desk.enqueue([alert]);
    await clock.advance(10 * MINUTE);
    expect(words()).toEqual(['a', 'b', 'c', 'd']);
    expect(store.statuses()).toEqual({ PENDING: 4 });
  });

  test('news of the monitor itself leaves while the store fails, and is kept once it works', async () => {
    const { desk, store, clock, words } = await outboxScene();
    store.writeFailure = new Error('disk full');
    await desk.writeAndEnqueue([owed('own', clock.now())]);
    await clock.advance(20_000);
    expect([words(), store.statuses()]).toEqual([['own'], {}]);
    store.writeFailure = undefined;
    await clock.advance(60_000);
    expect([words(), store.statuses()]).toEqual([['own'], { SUCCESS: 1 }]);
  });

  test('a start that cannot read what is owed says so', async () => {
    const store = new KeptNotifications();
    store.failure = new StoreError('IO', 'broken');
    await expect(outboxScene({ store })).rejects.toThrow('broken');
  });
});

describe('what does not fit into memory', () => {
  test('waits in the store, and is sent in its order when there is room', async () => {
    const { clock, take, words, store } = await outboxScene({
      maxPending: 4,
      limits: { stormAlerts: 0, messagesPerMinute: 1_000 },
    });
    const names = Array.from({ length: 50 }, (_, index) => `n${10 + index}`);
    for (const name of names) await take(owed(name, clock.now()));
    await clock.advance(10 * MINUTE);
    expect(words()).toEqual(names);
    expect(store.statuses()).toEqual({ SUCCESS: 50 });
  });

  test('is never all of dead channels', async () => {
    const { clock, take, words, store, answerWith } = await outboxScene({
      maxPending: 20,
      channels: ['1', '2'],
    });
    answerWith(({ channelId }) => (channelId === '1' ? FAILED : TOLD));
    for (const name of ['a', 'b', 'c']) await take(owed(name, clock.now()));
    await clock.advance(HOUR);
    for (let index = 0; index < 40; index++) await take(owed(`n${index}`, clock.now()));
    await take(owed('x', clock.now(), { channelId: '2' }));
    await clock.advance(2_000);
    expect(words('2')).toContain('x');
    const reasons = [...store.byId.values()].map(({ outcome }) => outcome);
    expect(reasons).toContain('The channel is dead, and more than 10 are owed.');
  });

  test('is read again though the store fails meanwhile', async () => {
    const { clock, take, words, store } = await outboxScene({
      maxPending: 1,
      limits: { stormAlerts: 0, messagesPerMinute: 1_000 },
    });
    for (const name of ['a', 'b', 'c']) await take(owed(name, clock.now()));
    store.failure = new StoreError('IO', 'broken');
    await clock.advance(5_000);
    expect(words()).toEqual(['a']);
    store.failure = undefined;
    await clock.advance(MINUTE);
    expect(words()).toEqual(['a', 'b', 'c']);
  });
});

test('a stop lets the send under way end, for five seconds', async () => {
  const { clock, take, desk, store, words, answerWith } = await outboxScene({
    channels: ['1', '2'],
  });
  const slow = Promise.withResolvers<Delivery>();
  answerWith(({ channelId }) => (channelId === '1' ? slow.promise : never));
  await take(owed('a', clock.now()), owed('a', clock.now(), { channelId: '2' }));
  await take(owed('b', clock.now()));
  await clock.advance(1_000);
  const stopped = desk.stop();
  slow.resolve(TOLD);
  await clock.advance(5_000);
  await stopped;
  expect([words('1'), words('2')]).toEqual([['a'], ['a']]);
  expect(store.statuses()).toEqual({ SUCCESS: 1, IN_PROGRESS: 1, PENDING: 1 });
});

/** What a scenario does, one after the other. */
type Act =
  | { act: 'alert'; check: number; recovers: boolean; channel: number }
  | { act: 'pass'; ms: number }
  | { act: 'fail'; isFailing: boolean }
  | { act: 'restart' }
  | { act: 'kill' };

const acts = (restarts: fc.Arbitrary<Act>) =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          act: fc.constant('alert' as const),
          check: fc.integer({ min: 0, max: 8 }),
          recovers: fc.boolean(),
          channel: fc.integer({ min: 1, max: 2 }),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          act: fc.constant('pass' as const),
          ms: fc.constantFrom(0, 1, 400, 2_000, 5_000, 21_000, 61_000),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ act: fc.constant('fail' as const), isFailing: fc.boolean() }),
      },
      { weight: 1, arbitrary: restarts },
    ),
    { maxLength: 60 },
  );

/** Plays a scenario on a store that outlives the outboxes, and ends with all that is owed settled. */
async function play(
  scenario: readonly Act[],
  maxPending: number,
  limits: Partial<OutboxLimits> = {},
) {
  const store = new KeptNotifications();
  const clock = new SimulatedClock();
  const all: StoredNotification[] = [];
  const sent: { channelId: string; id: string | undefined; isTold: boolean }[] = [];
  let isFailing = false;
  const answer: Answer = async ({ channelId, notice }) => {
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 50));
    const id = [...store.byId.values()].find((one) => one.notice === notice)?.id;
    sent.push({ channelId, id, isTold: !isFailing });
    return isFailing ? FAILED : TOLD;
  };
  const start = () =>
    outboxScene({ store, clock, answer, channels: ['1', '2'], maxPending, limits });
  let scene = await start();
  for (const act of scenario) {
    if (act.act === 'alert') {
      const alertType = act.recovers ? 'ALERT_RECOVERY' : 'ALERT_FAILURE';
      const one = owed(`${act.check}`, clock.now(), { alertType, channelId: `${act.channel}` });
      const alert = { ...one, id: scene.desk.stamp().id };
      all.push(alert);
      await scene.take(alert);
    }
    if (act.act === 'pass') await clock.advance(act.ms);
    if (act.act === 'fail') isFailing = act.isFailing;
    if (act.act === 'restart' || act.act === 'kill') {
      if (act.act === 'kill') scene.crash();
      await Promise.all([act.act === 'restart' && scene.desk.stop(), clock.advance(5_000)]);
      scene = await start();
    }
  }
  isFailing = false;
  await clock.advance(HOUR);
  await scene.desk.stop();
  return { all, sent, store };
}

describe.each([MAX_PENDING, 4])(
  'whatever comes, fails and restarts, with room for %i',
  (maxPending) => {
    test('each alert is settled: told, told by another, or given up after its tries', async () => {
      const restarts = fc.constantFrom<Act>({ act: 'restart' }, { act: 'kill' });
      await fc.assert(
        fc.asyncProperty(acts(restarts), async (scenario) => {
          const { all, sent, store } = await play(scenario, maxPending);
          const told = new Set(sent.filter(({ isTold }) => isTold).map(({ id }) => id));
          for (const { id } of all) {
            const kept = store.byId.get(id);
            const teller = kept?.digestId ? store.byId.get(kept.digestId) : kept;
            expect(teller?.status).toBeOneOf(['SUCCESS', 'FAILURE']);
            if (teller?.status === 'SUCCESS') expect(told).toContain(teller.id);
            else if (teller?.outcome !== 'The channel is dead, and more than 2 are owed.')
              expect(teller?.tries).toBeGreaterThanOrEqual(6);
          }
        }),
        { numRuns: 60 },
      );
    });

    // A storm tells what fails and what recovers apart, so there the order is that of each check.
    test.each<[string, Partial<OutboxLimits>, (one: StoredNotification) => string]>([
      ['each channel', { stormAlerts: 0, messagesPerMinute: 10_000 }, ({ channelId }) => channelId],
      ['each check on a channel, in storms,', {}, ({ channelId, checkId }) => channelId + checkId],
    ])('none is told twice without a kill, and %s is told in order', async (_, limits, lineOf) => {
      await fc.assert(
        fc.asyncProperty(acts(fc.constant<Act>({ act: 'restart' })), async (scenario) => {
          const { all, sent } = await play(scenario, maxPending, limits);
          const told = sent.filter(({ isTold }) => isTold).map(({ id = '' }) => id);
          expect(new Set(told).size).toBe(told.length);
          for (const line of Map.groupBy(all, lineOf).values()) {
            const ids = new Set(line.map(({ id }) => id));
            const toldOfLine = told.filter((id) => ids.has(id));
            expect(toldOfLine).toEqual([...ids].filter((id) => toldOfLine.includes(id)));
          }
        }),
        { numRuns: 60 },
      );
    });
  },
);

describe('a channel that is dead', () => {
  test('is told of once, however often Watchpost starts again, and once when it works', async () => {
    const scene = await outboxScene({ channels: ['1', '2'] });
    const { clock, store } = scene;
    const answer = ({ channelId }: Sending) => (channelId === '1' ? REFUSED : TOLD);
    const told: string[] = [];
    let life = scene;
    for (let lives = 0; lives < 6; lives++) {
      life.answerWith(answer);
      for (let alerts = 0; alerts < 3; alerts++) {
        const one = owed(`${lives} ${alerts}`, clock.now());
        await life.take({ ...one, id: life.desk.stamp().id });
        await clock.advance(10 * MINUTE);
      }
      told.push(...life.words('2'));
      life.crash();
      life = await outboxScene({ channels: ['1', '2'], store, clock });
    }
    expect(told).toEqual(['CHANNEL_DEAD']);
    await life.take({ ...owed('last', clock.now()), id: life.desk.stamp().id });
    await clock.advance(20 * MINUTE);
    expect(life.words('2')).toEqual(['CHANNEL_DEAD over']);
    expect(life.sent.at(-1)?.notice).toMatchObject({ lastedMs: expect.any(Number) });
    expect(store.states.size).toBe(0);
  });

  test('is found to be so although Watchpost starts again before it is', async () => {
    const store = (await outboxScene()).store;
    const told: string[] = [];
    let life = await outboxScene({ channels: ['1', '2'], store });
    const { clock } = life;
    for (let lives = 0; lives < 4; lives++) {
      life.answerWith(({ channelId }) => (channelId === '1' ? REFUSED : TOLD));
      await life.take({ ...owed(`${lives}`, clock.now()), id: life.desk.stamp().id });
      await clock.advance(MINUTE);
      told.push(...life.words('2'));
      life.crash();
      life = await outboxScene({ channels: ['1', '2'], store, clock });
    }
    expect(told).toEqual(['CHANNEL_DEAD']);
  });
});

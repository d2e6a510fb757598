import { describe, expect, test } from 'vitest';
import { stormLimits } from '#main/notifications/storm-limits.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { FLAPPING } from '../../fixtures/notification-contents.ts';
import { FAILED, outboxScene, owed, TOLD } from './fixtures.ts';

const MINUTE = 60_000;
type AlertAll = (names: string[]) => Promise<void>;

const many = (count: number) => Array.from({ length: count }, (_, index) => `check ${index}`);

describe('where nothing storms', () => {
  test('the first bad news goes at once, what follows within two seconds, each by itself', async () => {
    const { clock, take, sent } = await outboxScene();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await take(owed(name, clock.now()));
      await clock.advance(300);
    }
    await clock.advance(MINUTE);
    expect(sent.map(({ word, atMs }) => [word, atMs])).toEqual([
      ['a', 0],
      ['b', 2_300],
      ['c', 2_600],
      ['d', 2_900],
      ['e', 2_900],
    ]);
  });

  test('good news waits for what comes with it, two seconds at most', async () => {
    const { clock, take, sent } = await outboxScene();
    await take(owed('a', clock.now(), { alertType: 'ALERT_RECOVERY' }));
    await clock.advance(MINUTE);
    expect(sent.map(({ word, atMs }) => [word, atMs])).toEqual([['a ok', 2_000]]);
  });

  test('alerts that are far apart are never one message', async () => {
    const { clock, take, words } = await outboxScene();
    for (const name of many(20)) {
      await take(owed(name, clock.now()));
      await clock.advance(MINUTE);
    }
    expect(words()).toEqual(many(20));
  });
});

describe('a storm', () => {
  test('of 500 failures and 500 recoveries is three messages on each channel, and 1,000 lines in the log', async () => {
    const { clock, take, sent, store } = await outboxScene({ channels: ['1', '2'] });
    const alertAll = async (alertType: 'ALERT_FAILURE' | 'ALERT_RECOVERY') => {
      for (const name of many(500)) {
        const at = clock.now();
        await take(...['1', '2'].map((channelId) => owed(name, at, { channelId, alertType })));
        if (name.endsWith('0')) await clock.advance(100);
      }
      await clock.advance(10 * MINUTE);
    };
    await alertAll('ALERT_FAILURE');
    await alertAll('ALERT_RECOVERY');
    for (const channelId of ['1', '2']) {
      expect(sent.filter((one) => one.channelId === channelId).map(({ word }) => word)).toEqual([
        'check 0',
        '499 failing',
        '500 recovered',
      ]);
    }
    expect(store.statuses()).toEqual({ SUCCESS: 6, DIGESTED: 1_998 });
    const digestIds = new Set([...store.byId.values()].map(({ digestId }) => digestId));
    expect(digestIds.size).toBe(5);
    for (const id of digestIds) if (id) expect(store.byId.get(id)?.status).toBe('SUCCESS');
  });

  test('names the groups with most checks, the first causes and the first checks', async () => {
    const { clock, take, sent } = await outboxScene();
    for (const [index, name] of many(30).entries()) {
      const groupName = index < 20 ? 'Shops' : null;
      const error = index < 15 ? 'connection refused' : `error ${index}`;
      await take(owed(name, clock.now(), { notice: { groupName, error } }));
    }
    await clock.advance(MINUTE);
    expect(sent.at(-1)?.notice).toEqual({
      kind: 'digest',
      direction: 'failing',
      count: 29,
      groups: [
        { name: 'Shops', count: 19 },
        { name: null, count: 10 },
      ],
      causes: ['connection refused', 'error 15', 'error 16'],
      checkNames: many(11).slice(1),
      incident: null,
      startedAt: '2026-01-15T12:00:00.000Z',
      link: null,
    });
  });

  test('that goes on is told after a minute, whole or not', async () => {
    const { clock, take, sent } = await outboxScene();
    for (const name of many(300)) {
      await take(owed(name, clock.now()));
      await clock.advance(500);
    }
    await clock.advance(MINUTE);
    expect(sent.map(({ word, atMs }) => [word, Math.round(atMs / 1_000)])).toEqual([
      ['check 0', 0],
      ['check 1', 3],
      ['120 failing', 61],
      ['120 failing', 121],
      ['58 failing', 155],
    ]);
  });

  test('tells of each check its newest state, once', async () => {
    const { clock, take, words, store } = await outboxScene();
    for (const name of many(10)) await take(owed(name, clock.now()));
    for (const name of many(5)) {
      await take(owed(name, clock.now() + 1, { alertType: 'ALERT_RECOVERY' }));
    }
    await clock.advance(MINUTE);
    // The first had gone already; four failed and recovered; five are down.
    expect(words()).toEqual(['check 0', '5 recovered', '5 failing']);
    expect(store.statuses()).toEqual({ SUCCESS: 3, DIGESTED: 14 });
  });

  test('of which one check is left in a direction sends that alert as it is', async () => {
    const { clock, take, words, store } = await outboxScene();
    const at = clock.now();
    await take(...many(7).map((name) => owed(name, at)));
    await take(owed('check 6', at + 1, { alertType: 'ALERT_RECOVERY' }));
    await clock.advance(MINUTE);
    expect(words()).toEqual(['6 failing', 'check 6 ok']);
    const [recovery] = [...store.byId.values()].filter(({ id }) => id.includes('RECOVERY'));
    expect(store.byId.get(owed('check 6', at).id)).toMatchObject({
      status: 'DIGESTED',
      digestId: recovery?.id,
    });
  });

  test('keeps what fails, degrades, recovers and expires apart', async () => {
    const { clock, take, words } = await outboxScene();
    const types = ['ALERT_FAILURE', 'ALERT_DEGRADED', 'ALERT_RECOVERY', 'ALERT_SSL'] as const;
    const ssl = { daysRemaining: 3, domain: 'shop.test' };
    for (const name of many(3)) {
      for (const alertType of types) {
        const check = `${alertType} ${name}`;
        await take(owed(check, clock.now() - 3_000, { alertType, notice: { ssl } }));
      }
    }
    await clock.advance(MINUTE);
    expect(words().slice(-4)).toEqual(['3 degraded', '3 recovered', '3 expiring', '2 failing']);
  });

  test('gathers checks that flap, and lets news of the monitor itself pass', async () => {
    const { clock, take, words } = await outboxScene();
    const at = clock.now();
    const flaps = many(6).map((name) => {
      const one = owed(name, at);
      return { ...one, notice: { ...FLAPPING, check: { ...FLAPPING.check, id: name, name } } };
    });
    const blind = { ...owed('own', at + 1), notice: { ...ownOffline } };
    await take(...flaps);
    await take(blind);
    await clock.advance(MINUTE);
    expect(words()).toEqual(['BLIND', '6 degraded']);
  });

  test('of more than 500 is several messages', async () => {
    const { clock, take, words } = await outboxScene();
    await take(...many(1_200).map((name) => owed(name, clock.now())));
    await clock.advance(MINUTE);
    expect(words()).toEqual(['500 failing', '500 failing', '200 failing']);
  });

  test.each([
    ['all at once', (names: string[], alertAll: AlertAll) => alertAll(names)],
    [
      'one by one',
      async (names: string[], alertAll: AlertAll) => {
        for (const name of names) await alertAll([name]);
      },
    ],
  ])(
    'of 500 that fail and recover within a minute, %s, tells of each as it stands',
    async (_, fail) => {
      const { clock, take, words, store } = await outboxScene();
      await fail(many(500), async (names) => {
        await take(...names.map((name) => owed(name, clock.now())));
        await clock.advance(20);
        const alertType = 'ALERT_RECOVERY';
        await take(...names.map((name) => owed(name, clock.now(), { alertType })));
        await clock.advance(20);
      });
      await clock.advance(10 * MINUTE);
      expect(words().length).toBeLessThanOrEqual(3);
      expect(words().filter((word) => word.includes('failing'))).toEqual([]);
      expect(Object.keys(store.statuses()).toSorted()).toEqual(['DIGESTED', 'SUCCESS']);
    },
  );

  test('of one check that goes on and on is bounded, too', async () => {
    const { clock, take, words, store } = await outboxScene();
    const at = clock.now();
    await take(...many(1_200).map((_, index) => owed('a', at + index)));
    await clock.advance(MINUTE);
    expect(words()).toEqual(['a', 'a', 'a']);
    expect(store.statuses()).toEqual({ SUCCESS: 3, DIGESTED: 1_197 });
  });

  test('is never seen where it is switched off', async () => {
    const { clock, take, words } = await outboxScene({
      limits: { stormAlerts: 0, messagesPerMinute: 10_000 },
    });
    await take(...many(100).map((name) => owed(name, clock.now())));
    await clock.advance(MINUTE);
    expect(words()).toEqual(many(100));
  });
});

test('what the account says of storms counts from the next message on', async () => {
  const { account } = new MemoryConfiguration();
  const started = { stormAlerts: 5, messagesPerMinute: 1_000 };
  const changingLimits = stormLimits({ account }, started);
  const { clock, take, words } = await outboxScene({ changingLimits });
  const record = { id: 'a', name: 'a', runtimeId: '2025.04', created_at: '' };
  await account.put({ ...record, storms: { alerts: 0, messagesPerMinute: 1_000 } });
  await take(...many(9).map((name) => owed(name, clock.now())));
  await clock.advance(MINUTE);
  expect(words()).toEqual(many(9));
  await account.put(record);
  await take(...many(9).map((name) => owed(name, clock.now())));
  await clock.advance(MINUTE);
  expect(words().length).toBeLessThan(14);
});

const ownOffline = {
  kind: 'own',
  condition: 'BLIND',
  isOver: false,
  reason: 'no canary answers',
  since: '2026-01-15T12:00:00.000Z',
  lastedMs: null,
  startedAt: '2026-01-15T12:00:00.000Z',
  link: null,
} as const;

describe('the rate of a channel', () => {
  test('is kept, and what is beyond goes in one message once there is room', async () => {
    const { clock, take, sent } = await outboxScene({
      limits: { stormAlerts: 0, messagesPerMinute: 3 },
    });
    for (const name of many(9)) {
      await take(owed(name, clock.now()));
      await clock.advance(3_000);
    }
    await clock.advance(5 * MINUTE);
    expect(sent.map(({ word, atMs }) => [word, atMs])).toEqual([
      ['check 0', 0],
      ['check 1', 3_000],
      ['check 2', 6_000],
      ['6 failing', 60_000],
    ]);
  });

  test('holds whatever comes: never more than so many in any minute', async () => {
    const { clock, take, sent, answerWith } = await outboxScene({ limits: { stormAlerts: 0 } });
    answerWith(({ atMs }) => (atMs % 7 === 0 ? FAILED : TOLD));
    for (let index = 0; index < 500; index++) {
      await take(owed(`check ${index}`, clock.now()));
      await clock.advance(1_700);
    }
    for (const { atMs } of sent) {
      const inMinute = sent.filter((other) => other.atMs > atMs - MINUTE && other.atMs <= atMs);
      expect(inMinute.length).toBeLessThanOrEqual(10);
    }
  });
});

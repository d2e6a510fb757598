import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CHECKS_IN_INCIDENTS, opened } from '#main/notifications/incidents.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { FAILED, outboxScene, owed, REFUSED, type Sending, TOLD, webhook } from './fixtures.ts';
import { incidentScene, many } from './incident-scene.ts';

const MINUTE = 60_000;

describe('at a service that keeps incidents', () => {
  test('500 checks that fail and recover wake once, are two messages, and leave nothing open', async () => {
    const { clock, take, fail, recover, messages, service, store } = await incidentScene();
    await take(...fail(...many(500)));
    await clock.advance(10 * MINUTE);
    expect(messages()).toEqual(['500 failing']);
    await take(...recover(...many(500)));
    await clock.advance(10 * MINUTE);
    expect(messages()).toEqual(['500 failing', '500 recovered']);
    expect([service.wakeUps, [...service.open]]).toEqual([1, []]);
    expect(store.statuses()).toEqual({ SUCCESS: 3, DIGESTED: 1_000 });
    expect(store.states.size).toBe(0);
  });

  test('what single alerts opened is closed when a storm of recoveries tells of it', async () => {
    const { clock, take, failApart, recover, messages, service } = await incidentScene();
    await failApart(12);
    expect(service.open.size).toBe(12);
    await take(...recover(...many(12)));
    await clock.advance(10 * MINUTE);
    expect(messages().slice(12)).toEqual(['12 recovered']);
    expect([service.closings, [...service.open]]).toEqual([12, []]);
  });

  test('what a storm opened is closed when the last of its checks has recovered, one by one', async () => {
    const { clock, take, fail, recover, service } = await incidentScene();
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    const [storm = ''] = service.open;
    for (const name of many(7)) {
      await take(...recover(name));
      await clock.advance(MINUTE);
      expect([...service.open]).toEqual([storm]);
    }
    await take(...recover('c7'));
    await clock.advance(MINUTE);
    expect([...service.open]).toEqual([]);
  });

  test('a second storm wakes again, and each is closed by its own checks', async () => {
    const { clock, take, fail, recover, service } = await incidentScene();
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    await take(...fail(...many(20).slice(10)));
    await clock.advance(MINUTE);
    expect([service.wakeUps, service.open.size]).toEqual([2, 2]);
    await take(...recover(...many(20).slice(10)));
    await clock.advance(MINUTE);
    expect(service.open.size).toBe(1);
    await take(...recover(...many(8)));
    await clock.advance(MINUTE);
    expect(service.open.size).toBe(0);
  });

  test('a storm of reminders says the incident again, and wakes nobody', async () => {
    const { clock, take, fail, recover, service, messages } = await incidentScene();
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    expect(messages()).toEqual(['8 failing', '8 failing']);
    expect([service.wakeUps, service.open.size]).toEqual([1, 1]);
    await take(...recover(...many(8)));
    await clock.advance(MINUTE);
    expect(service.open.size).toBe(0);
  });

  test('a check that fails again before its incident is closed has it closed first', async () => {
    const { clock, take, fail, failApart, recover, service, words } = await incidentScene();
    await failApart(9);
    await take(...recover(...many(9)));
    await clock.advance(6_000);
    expect(service.open.size).toBeGreaterThan(2);
    await take(...fail('c8'));
    await clock.advance(MINUTE);
    expect([...service.open]).toEqual(['watchpost-check-check c8']);
    expect(service.wakeUps).toBe(10);
    const last = words().indexOf('close watchpost-check-check c8');
    expect(last).toBeLessThan(words().lastIndexOf('c8'));
  });

  test('new alerts do not wait for incidents to be closed, a second apart', async () => {
    const { clock, take, fail, recover, sent } = await incidentScene({
      limits: { messagesPerMinute: 1_000 },
    });
    for (const name of many(60)) {
      await take(...fail(name));
      await clock.advance(11_000);
    }
    await take(...recover(...many(60)));
    await clock.advance(20_000);
    await take(...fail('c100'));
    const takenAt = sent.at(-1)?.atMs ?? 0;
    await clock.advance(3_000);
    const [alert] = sent.filter(({ word }) => word === 'c100');
    expect((alert?.atMs ?? Infinity) - takenAt).toBeLessThanOrEqual(2_000);
    await clock.advance(2 * MINUTE);
    const closings = sent.filter(({ word }) => word.startsWith('close ')).map(({ atMs }) => atMs);
    expect(closings).toHaveLength(60);
    for (const [index, atMs] of closings.entries()) {
      if (index > 0) expect(atMs - (closings[index - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    }
  });

  test('what is to be closed is tried again, and after a crash as well', async () => {
    const scene = await incidentScene();
    const { clock, take, failApart, recover, service, store } = scene;
    await failApart(9);
    await take(...recover(...many(9)));
    await clock.advance(5_000);
    scene.refuseWith(() => FAILED);
    await clock.advance(30_000);
    expect(service.open.size).toBeGreaterThan(0);
    scene.crash();
    scene.refuseWith(() => null);
    await scene.start({ store, clock });
    await clock.advance(10 * MINUTE);
    expect([...service.open]).toEqual([]);
  });

  test('what is open is known after a restart, and closed then', async () => {
    const scene = await incidentScene();
    const { clock, take, fail, service, store } = scene;
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    await take(...fail('c20'));
    await clock.advance(MINUTE);
    expect(service.open.size).toBe(2);
    scene.crash();
    const next = await scene.start({ store, clock });
    await next.take(...scene.recover(...many(8), 'c20'));
    await clock.advance(MINUTE);
    expect([...service.open]).toEqual([]);
    expect(store.states.size).toBe(0);
  });

  test('a check that is deleted has its incident closed, and leaves that of a storm', async () => {
    const { clock, take, fail, recover, checks, service } = await incidentScene();
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    await take(...fail('c20'));
    await clock.advance(MINUTE);
    await checks.delete('check c20');
    await clock.advance(MINUTE);
    expect(service.open.size).toBe(1);
    await checks.delete('check c7');
    await take(...recover(...many(7)));
    await clock.advance(MINUTE);
    expect([...service.open]).toEqual([]);
  });

  test('an alert of a check that is gone by then closes what it opens', async () => {
    const { clock, take, fail, checks, service } = await incidentScene();
    const [alert] = fail('c1');
    await checks.delete('check c1');
    if (alert) await take(alert);
    await clock.advance(MINUTE);
    expect([service.wakeUps, [...service.open]]).toEqual([1, []]);
  });

  test('10,000 checks that fail and recover leave nothing open', async () => {
    const names = many(10_000);
    const one = makeCheck('URL');
    const checks = names.map((name) => ({ ...one, id: `check ${name}`, name }));
    const { clock, take, fail, recover, service, store } = await incidentScene({ checks });
    await take(...fail(...names));
    await clock.advance(10 * MINUTE);
    expect(service.open.size).toBeGreaterThan(1);
    await take(...recover(...names));
    await clock.advance(20 * MINUTE);
    expect([[...service.open], store.states.size]).toEqual([[], 0]);
  });

  test('checks that are deleted on both sides of a restart have their incident closed', async () => {
    const checks = many(8).map((name) => makeCheck('URL', { id: `check ${name}`, name }));
    const scene = await incidentScene({ checks });
    const { clock, take, fail, desk, store, service } = scene;
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    for (const { id } of checks.slice(0, 4)) await scene.checks.delete(id);
    await Promise.all([desk.stop(), clock.advance(10_000)]);
    const next = await scene.start({ checks: checks.slice(4), store });
    for (const { id } of checks.slice(4)) await next.checks.delete(id);
    await clock.advance(MINUTE);
    expect([[...service.open], store.states.size]).toEqual([[], 0]);
  });

  test('checks that were deleted just before a kill have their incident closed after it', async () => {
    const scene = await incidentScene();
    const { clock, take, fail, store, service } = scene;
    await take(...fail(...many(8)));
    await clock.advance(MINUTE);
    scene.crash();
    await scene.start({ checks: [], store });
    await clock.advance(MINUTE);
    expect([[...service.open], store.states.size]).toEqual([[], 0]);
  });

  test('a channel that becomes a webhook is sent no ends of incidents, and forgets them', async () => {
    const scene = await incidentScene();
    const { clock, take, failApart, recover, channels, checks, store, words, refuseWith } = scene;
    await failApart(9);
    refuseWith(({ notice }) => (notice.kind === 'closing' ? FAILED : null));
    await take(...recover(...many(7)));
    await clock.advance(10_000);
    const before = words().length;
    await channels.put(webhook('1'));
    await checks.delete('check c7');
    await take(...recover('c8'));
    await clock.advance(10 * MINUTE);
    expect(words().slice(before)).toEqual(['c8 ok']);
    expect(store.states.size).toBe(0);
    expect(store.statuses()).not.toHaveProperty('PENDING');
  });

  test('a channel that is deleted leaves nothing behind', async () => {
    const { clock, take, fail, channels, store } = await incidentScene();
    await take(...fail('c1'));
    await clock.advance(MINUTE);
    expect(store.states.size).toBe(1);
    await channels.delete('1');
    await clock.advance(MINUTE);
    expect(store.states.size).toBe(0);
  });
});

/** What a scenario does: some checks change their state together, time passes, or all ends at once. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('change' as const),
      checks: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('pass' as const),
      ms: fc.constantFrom(0, 30, 2_000, 5_000, 7_000, 61_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('restart' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('kill' as const),
      afterWrites: fc.integer({ min: 0, max: 4 }),
    }),
  },
);

test('whatever fails, recovers and restarts: nothing stays open once all is well, and each failure has an incident', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const scene = await incidentScene({ slowMs: 50 });
      const { clock, service, store } = scene;
      let life = { ...scene };
      const failing = new Set<string>();
      const change = (names: readonly string[]) =>
        life.take(
          ...names.flatMap((name) => (failing.has(name) ? scene.recover(name) : scene.fail(name))),
        );
      for (const one of steps) {
        if (one.act === 'change') {
          const names = one.checks.map((index) => `c${index}`);
          await change(names);
          for (const name of names) if (!failing.delete(name)) failing.add(name);
        } else if (one.act === 'pass') {
          await clock.advance(one.ms);
        } else {
          if (one.act === 'kill') {
            life.crash(one);
            await clock.advance(7_000);
            life.crash();
          }
          await Promise.all([one.act === 'restart' && life.desk.stop(), clock.advance(5_000)]);
          life = { ...scene, ...(await scene.start({ store, clock })) };
        }
      }
      await clock.advance(10 * MINUTE);
      expect(service.open.size > 0).toBe(failing.size > 0);
      await change([...failing]);
      await clock.advance(10 * MINUTE);
      expect([...service.open]).toEqual([]);
      expect(store.states.size).toBe(0);
      await life.desk.stop();
    }),
    { numRuns: 60 },
  );
});

test('the oldest incidents end where there are too many checks in them', () => {
  const ids = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `check ${from + index}`);
  const most = MAX_CHECKS_IN_INCIDENTS;
  const first = opened([], 'first', ids(0, most / 4));
  const second = opened(first.incidents, 'second', ids(most, most / 2));
  expect(second).toMatchObject({ keys: [], incidents: [{ key: 'first' }, { key: 'second' }] });
  const third = opened(second.incidents, 'third', ids(2 * most, most / 2));
  expect(third.keys).toEqual(['first']);
  expect(third.incidents.map(({ key }) => key)).toEqual(['second', 'third']);
  const huge = opened(third.incidents, 'fourth', ids(3 * most, most + 1));
  expect(huge.keys).toEqual(['second', 'third']);
  expect(huge.incidents.map(({ key }) => key)).toEqual(['fourth']);
});

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

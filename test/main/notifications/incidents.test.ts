import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ABOUT_NO_CHECK } from '#shared/notifications/notification.ts';
import { DIGEST } from '../../fixtures/notification-contents.ts';
import { FAILED, owed, REFUSED, TOLD, webhook } from './fixtures.ts';
import { incidentScene, many, PAGERDUTY } from './incident-scene.ts';

const MINUTE = 60_000;

describe('a service that groups alerts itself', () => {
  test('is sent the failure of a check and its recovery under one key', async () => {
    const { clock, take, fail, recover, service, sent } = await incidentScene();
    await take(...fail('c1'));
    await clock.advance(0);
    expect([...service.open]).toEqual(['watchpost-check-check c1']);
    await take(...recover('c1'));
    await clock.advance(0);
    expect([service.wakeUps, [...service.open]]).toEqual([1, []]);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 0]);
  });

  test('is sent an event for each check of a storm, and what people read is one message', async () => {
    const { clock, take, fail, recover, words, service, store } = await incidentScene({
      channels: [PAGERDUTY, '2'],
    });
    const forPeople = (events: ReturnType<typeof fail>) =>
      events.map((one) => ({ ...one, id: `${one.id} 2`, channelId: '2' }));
    for (const events of [fail(...many(100)), recover(...many(100))]) {
      await take(...events, ...forPeople(events));
      await clock.advance(10 * MINUTE);
    }
    expect([...words('1')].sort()).toEqual(
      many(100)
        .flatMap((name) => [name, `${name} ok`])
        .sort(),
    );
    expect(words('2')).toEqual(['100 failing', '100 recovered']);
    expect([service.wakeUps, service.closings, [...service.open]]).toEqual([100, 100, []]);
    expect(store.statuses()).toEqual({ SUCCESS: 202, DIGESTED: 200 });
  });

  test.each([
    [10, 60],
    [150, 150],
  ])(
    'is sent at most so many events in any minute: with a rate of %i messages %i',
    async (messagesPerMinute, most) => {
      const { clock, take, fail, sent } = await incidentScene({ limits: { messagesPerMinute } });
      await take(...fail(...many(400)));
      await clock.advance(10 * MINUTE);
      expect(sent).toHaveLength(400);
      const counts = sent.map(
        ({ atMs }) => sent.filter((one) => one.atMs > atMs - MINUTE && one.atMs <= atMs).length,
      );
      expect(Math.max(...counts)).toBe(most);
    },
  );

  test('is sent only the newest of what waited about a check', async () => {
    const { clock, take, fail, recover, refuseWith, words, store } = await incidentScene();
    refuseWith(() => FAILED);
    await take(...fail('c0'));
    await clock.advance(0);
    const [failure] = fail('c1');
    const [recovery] = recover('c1');
    if (failure && recovery) await take(failure, recovery);
    refuseWith(() => null);
    await clock.advance(MINUTE);
    expect(words()).toEqual(['c0', 'c0', 'c1 ok']);
    expect(store.byId.get(failure?.id ?? '')).toMatchObject({
      status: 'DIGESTED',
      digestId: recovery?.id,
    });
  });

  test('wakes nobody again for a reminder', async () => {
    const { clock, take, fail, service } = await incidentScene();
    for (let times = 0; times < 3; times++) {
      await take(...fail('c1'));
      await clock.advance(MINUTE);
    }
    expect([service.wakeUps, service.open.size]).toEqual([1, 1]);
  });

  test('is told that a check was deleted; whoever only reads messages is not', async () => {
    const scene = await incidentScene({ channels: [PAGERDUTY, '2'] });
    const { clock, take, fail, recover, desk, service, words, refuseWith } = scene;
    await take(...fail('c1'));
    await clock.advance(MINUTE);
    refuseWith(() => FAILED);
    await take(...recover('c9'), ...fail('c2'));
    await clock.advance(0);
    for (const name of ['c1', 'c2']) await desk.resolve(`check ${name}`, [PAGERDUTY, webhook('2')]);
    refuseWith(() => null);
    await clock.advance(MINUTE);
    // What waited of a check that is gone is not sent any more.
    expect(words('1').slice(-2)).toEqual([
      'close watchpost-check-check c2',
      'close watchpost-check-check c1',
    ]);
    expect(words('1')).not.toContain('c2');
    expect([[...service.open], words('2')]).toEqual([[], []]);
  });

  test('is sent nothing of a storm that the channel owed to people before it was edited', async () => {
    const { clock, take, words, refuseWith, store } = await incidentScene({
      channels: [PAGERDUTY, '2'],
    });
    refuseWith(({ channelId }) => (channelId === '1' ? REFUSED : null));
    for (const name of many(3)) await take(owed(name, clock.now()));
    await clock.advance(10_000);
    expect(words('2')).toEqual(['CHANNEL_DEAD']);
    refuseWith(({ channelId }) => (channelId === '1' ? { ...TOLD, isUnsent: true } : null));
    await take({ ...owed('storm', clock.now()), ...ABOUT_NO_CHECK, notice: DIGEST });
    await clock.advance(60 * MINUTE);
    // Nothing was sent, which does not show that the channel works again.
    expect(words('2')).toEqual(['CHANNEL_DEAD']);
    expect(store.states.get('1')?.health.dead).not.toBeNull();
  });

  test('that is replaced by a webhook leaves it no event that people would read', async () => {
    const { clock, take, fail, desk, channels, words, refuseWith, store } = await incidentScene();
    refuseWith(() => FAILED);
    await take(...fail('c1'));
    await clock.advance(0);
    await desk.resolve('check c2', [PAGERDUTY]);
    refuseWith(() => null);
    await channels.put(webhook('1'));
    await clock.advance(MINUTE);
    expect(words()).toEqual(['c1', 'c1']);
    expect(store.statuses()).toEqual({ SUCCESS: 2 });
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

test('whatever fails, recovers and is killed: the checks that fail have an incident each, and no other', async () => {
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
      expect([...service.open].sort()).toEqual(
        [...failing].map((name) => `watchpost-check-check ${name}`).sort(),
      );
      expect(Object.keys(store.statuses())).not.toContain('PENDING');
      await life.desk.stop();
    }),
    { numRuns: 60 },
  );
});

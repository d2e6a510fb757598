import { describe, expect, test } from 'vitest';
import { incidentKey } from '#shared/notifications/incident-key.ts';
import { FAILED, REFUSED, type Sending, TOLD } from './fixtures.ts';
import { incidentScene, many, PAGERDUTY } from './incident-scene.ts';

const MINUTE = 60_000;
const SLOW_DOWN = {
  ...FAILED,
  outcome: 'RATE_LIMITED',
  detail: 'HTTP 429 in 5 ms',
  retryAfterMs: 2 * MINUTE,
} as const;

const closings = (answer: typeof FAILED) => (sending: Sending) =>
  sending.notice.kind === 'closing' ? answer : null;

/** Nine incidents that recover together while the service answers to their closings as given. */
async function nineToClose(answer: typeof FAILED) {
  const scene = await incidentScene({ channels: [PAGERDUTY, '2'] });
  await scene.failApart(9);
  scene.refuseWith(closings(answer));
  await scene.take(...scene.recover(...many(9)));
  await scene.clock.advance(10_000);
  return scene;
}

describe('the end of an incident that the service does not take', () => {
  test('keeps no new alert waiting, and is tried again', async () => {
    const { clock, take, fail, sent, refuseWith, service } = await nineToClose(SLOW_DOWN);
    const takenAt = sent.at(-1)?.atMs ?? 0;
    await take(...fail('c20'));
    await clock.advance(3_000);
    const [alert] = sent.filter(({ word }) => word === 'c20');
    expect((alert?.atMs ?? Infinity) - takenAt).toBeLessThan(15_000);
    refuseWith(() => null);
    await clock.advance(5 * MINUTE);
    expect([...service.open]).toEqual(['watchpost-check-check c20']);
  });

  test('is asked again as late as the service says, and only that', async () => {
    const { clock, sent } = await nineToClose(SLOW_DOWN);
    await clock.advance(4 * MINUTE);
    const tries = sent.filter(({ word }) => word.startsWith('close '));
    expect(new Set(tries.map(({ word }) => word)).size).toBe(1);
    const [first = 0] = tries.map(({ atMs }) => atMs);
    expect(tries.map(({ atMs }) => atMs - first)).toEqual([0, 2 * MINUTE, 4 * MINUTE]);
  });

  test('says nothing of the channel', async () => {
    const { clock, words, store } = await nineToClose(REFUSED);
    await clock.advance(MINUTE);
    expect(store.statuses()).toMatchObject({ FAILURE: 9 });
    expect([words('2'), store.states.size]).toEqual([[], 0]);
  });

  test('is given up where the check fails again: the incident goes on', async () => {
    const scene = await nineToClose(SLOW_DOWN);
    const { clock, take, fail, recover, refuseWith, service, store, messages } = scene;
    await take(...fail(...many(9)));
    await clock.advance(MINUTE);
    refuseWith(() => null);
    await take(...fail('c1'));
    await clock.advance(10 * MINUTE);
    expect(messages().slice(-2)).toEqual(['9 failing', 'c1']);
    expect([...service.open]).toContain('watchpost-check-check c1');
    await take(...recover(...many(9)));
    await clock.advance(10 * MINUTE);
    expect([[...service.open], store.states.size]).toEqual([[], 0]);
  });

  test('is tried seldom while the channel is dead, and given up after a day', async () => {
    const { clock, sent, refuseWith, store, take, fail } = await nineToClose(SLOW_DOWN);
    refuseWith(({ notice }) => (notice.kind === 'closing' ? FAILED : REFUSED));
    await take(...fail('c20', 'c21', 'c22'));
    await clock.advance(60 * MINUTE);
    const tries = () => sent.filter(({ word }) => word.startsWith('close ')).length;
    expect(store.states.get('1')?.health.dead).not.toBeNull();
    expect(tries()).toBeLessThan(20);
    await clock.advance(25 * 60 * MINUTE);
    const before = tries();
    await clock.advance(25 * 60 * MINUTE);
    expect(tries()).toBe(before);
  });
});

test('a message of which nothing is sent does not say that a dead channel works', async () => {
  const { clock, take, fail, recover, refuseWith, words, store } = await incidentScene({
    channels: [PAGERDUTY, '2'],
  });
  const unsent = { ...TOLD, isUnsent: true } as const;
  refuseWith(({ channelId, notice }) => {
    if (channelId === '2') return null;
    return incidentKey(notice) === null ? unsent : REFUSED;
  });
  for (const name of many(3)) await take(...fail(name));
  await clock.advance(10_000);
  // None of these is in an incident.
  await take(...recover(...many(20).slice(3)));
  await clock.advance(60 * MINUTE);
  expect(words('1')).toContain('17 recovered');
  expect(words('2')).toEqual(['CHANNEL_DEAD']);
  expect(store.states.get('1')?.health.dead).not.toBeNull();
});

test.each([0, 1, 2, 3])(
  'a kill after %i writes of a storm of recoveries leaves no incident open',
  async (afterWrites) => {
    const scene = await incidentScene();
    const { clock, take, failApart, recover, service, store } = scene;
    await failApart(12);
    await take(...recover(...many(12)));
    scene.crash({ afterWrites });
    await clock.advance(10 * MINUTE);
    await scene.start({ store, clock });
    await clock.advance(10 * MINUTE);
    expect([[...service.open], store.states.size]).toEqual([[], 0]);
  },
);

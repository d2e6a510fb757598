import { afterAll, describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import type { ChannelTrouble } from '#main/notifications/channel-health.ts';
import type { Delivery } from '#main/notifications/channels/sender.ts';
import { deliveryMachine } from '#main/notifications/delivery.machine.ts';
import type { OutboxLimits } from '#main/notifications/delivery-port.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import { IdSequence } from '#main/platform/id-sequence.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILED, LIMITS, owed, REFUSED, TOLD, wordOf } from './fixtures.ts';

const coverage = new MachineCoverage(deliveryMachine);
afterAll(() => coverage.expectFullCoverage());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The machine of one channel, with ports that note what they are asked. */
function channel(limits: Partial<OutboxLimits> = {}, known: ChannelState | null = null) {
  const clock = new SimulatedClock();
  const began = clock.now();
  const ids = new IdSequence();
  const sent: [word: string, atMs: number][] = [];
  const kept: StoredNotification[] = [];
  const told: ChannelTrouble[] = [];
  const scene = {
    exists: true,
    groupsAlerts: false,
    mostOwed: 1_000,
    answer: (_word: string): Delivery | Promise<Delivery> => TOLD,
    keep: async (): Promise<boolean> => true,
  };
  const actor = createActor(deliveryMachine, {
    clock: actorClock(clock),
    inspect: coverage.inspect,
    input: {
      clock,
      limits: { ...LIMITS, ...limits },
      state: known,
      port: {
        stamp: () => ids.next(clock.now()),
        channelExists: () => scene.exists,
        groupsAlerts: () => scene.groupsAlerts,
        send: async ({ notice }) => {
          sent.push([wordOf(notice), clock.now() - began]);
          return scene.answer(wordOf(notice));
        },
        write: (notifications) => {
          kept.push(...notifications);
          return scene.keep();
        },
        release: () => {},
        reportTrouble: (trouble) => told.push(trouble),
        mostPendingWhileUnhealthy: () => scene.mostOwed,
      },
    },
  }).start();
  const take = (...names: string[]) => {
    const notifications = names.map((name) => owed(name, clock.now()));
    actor.send({ type: 'ENQUEUE', notifications });
  };
  const state = () => actor.getSnapshot().value;
  const statusesOf = (name: string) =>
    kept.filter(({ checkId }) => checkId === `check ${name}`).map(({ status }) => status);
  return Object.assign(scene, { actor, clock, sent, kept, told, take, state, statusesOf });
}

const never = new Promise<never>(() => {});

describe('a message', () => {
  test('is kept as under way before it leaves, and as told after', async () => {
    const scene = channel();
    expect(scene.state()).toEqual({ waiting: 'idle' });
    let atSend: string[] = [];
    scene.answer = () => {
      atSend = scene.statusesOf('a');
      return TOLD;
    };
    scene.take('a');
    await scene.clock.advance(0);
    expect([atSend, scene.statusesOf('a')]).toEqual([['IN_PROGRESS'], ['IN_PROGRESS', 'SUCCESS']]);
    expect(scene.kept.at(-1)).toMatchObject({ tries: 1, outcome: 'HTTP 200 in 5 ms' });
    expect(scene.state()).toEqual({ waiting: 'idle' });
  });

  test('that fails is tried five times more, 20 s apart, and before any other', async () => {
    const scene = channel();
    scene.answer = (word) => (word === 'a' ? FAILED : TOLD);
    scene.take('a');
    await scene.clock.advance(5_000);
    expect(scene.state()).toEqual({ waiting: 'backingOff' });
    scene.take('b');
    await scene.clock.advance(5 * MINUTE);
    expect(scene.sent).toEqual([
      ...[0, 20, 40, 60, 80, 100].map((second) => ['a', second * 1_000]),
      ['b', 100_000],
    ]);
    expect(scene.statusesOf('a').at(-1)).toBe('FAILURE');
    expect(scene.kept.filter(({ status }) => status === 'FAILURE')[0]).toMatchObject({
      tries: 6,
      outcome: 'HTTP 503 in 5 ms',
    });
  });

  test('is tried when the receiver asks for it, within five minutes', async () => {
    const scene = channel();
    const limited: Delivery = { ...FAILED, outcome: 'RATE_LIMITED', detail: 'HTTP 429 in 5 ms' };
    const waits = [1_000, 90_000, 86_400_000];
    scene.answer = () => ({ ...limited, retryAfterMs: waits[scene.sent.length - 1] ?? 0 });
    scene.take('a');
    await scene.clock.advance(HOUR);
    expect(scene.sent.map(([, atMs]) => atMs / 1_000)).toEqual([0, 20, 110, 410, 430, 450]);
    expect(scene.statusesOf('a').at(-1)).toBe('RATE_LIMITED');
  });

  test('that can never be sent is given up at once', async () => {
    const scene = channel();
    scene.answer = () => REFUSED;
    scene.take('a');
    await scene.clock.advance(HOUR);
    expect(scene.sent).toEqual([['a', 0]]);
    expect(scene.statusesOf('a')).toEqual(['IN_PROGRESS', 'FAILURE']);
  });

  test('waits for nobody: what comes meanwhile is sent after it', async () => {
    const scene = channel();
    const answers = Promise.withResolvers<Delivery>();
    scene.answer = (word) => (word === 'a' ? answers.promise : TOLD);
    scene.take('a');
    await scene.clock.advance(10_000);
    scene.take('b', 'c');
    expect(scene.state()).toEqual({ delivering: 'sending' });
    answers.resolve(TOLD);
    await scene.clock.advance(2_000);
    expect(scene.sent.map(([word]) => word)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['fails', async () => false],
    ['hangs', () => never],
  ])('leaves though the store %s, and is not sent again', async (_how, keep) => {
    const scene = channel();
    scene.keep = keep;
    scene.take('a');
    await scene.clock.advance(HOUR);
    expect(scene.sent.map(([word]) => word)).toEqual(['a']);
  });

  test('for many keeps them as told by it, until that is kept', async () => {
    const scene = channel();
    scene.keep = async () => false;
    scene.take('a', 'b', 'c', 'd', 'e', 'f');
    await scene.clock.advance(MINUTE);
    expect(scene.sent).toEqual([['6 failing', 5_000]]);
    expect(scene.statusesOf('f')).toEqual(['DIGESTED', 'DIGESTED']);
  });
});

describe('a channel', () => {
  test('that sent as much as it may waits for a minute', async () => {
    const scene = channel({ messagesPerMinute: 1 });
    scene.take('a');
    await scene.clock.advance(1_000);
    scene.take('b');
    await scene.clock.advance(1_000);
    expect(scene.state()).toEqual({ waiting: 'limited' });
    await scene.clock.advance(MINUTE);
    expect(scene.sent).toEqual([
      ['a', 0],
      ['b', MINUTE],
    ]);
  });

  test('that failed three notifications is dead, said once, and asked with growing waits', async () => {
    const scene = channel();
    scene.answer = () => FAILED;
    scene.take('a', 'b', 'c', 'd');
    await scene.clock.advance(2 * HOUR);
    expect(scene.state()).toEqual({ waiting: 'dead' });
    expect(scene.told).toEqual([
      { isOver: false, reason: FAILED.detail, since: '2026-01-01T00:00:02.000Z', lastedMs: null },
    ]);
    const probes = scene.sent.filter(([word]) => word === 'd').map(([, atMs]) => atMs);
    const waits = probes.slice(1).map((at, index) => (at - (probes[index] ?? 0)) / MINUTE);
    expect(waits.slice(0, 6)).toEqual([2, 4, 8, 15, 15, 15]);
    scene.answer = () => TOLD;
    await scene.clock.advance(HOUR);
    expect(scene.told.slice(1)).toEqual([
      {
        isOver: true,
        reason: TOLD.detail,
        since: '2026-01-01T00:00:02.000Z',
        lastedMs: expect.any(Number),
      },
    ]);
    expect(scene.statusesOf('d').at(-1)).toBe('SUCCESS');
    expect(scene.state()).toEqual({ waiting: 'idle' });
  });

  test('that was tried in vain for an hour is dead, however little there was to tell', async () => {
    const scene = channel();
    scene.answer = () => FAILED;
    scene.take('a');
    await scene.clock.advance(HOUR);
    expect(scene.told).toEqual([]);
    scene.take('b');
    await scene.clock.advance(0);
    expect(scene.told).toHaveLength(1);
    expect(scene.state()).toEqual({ waiting: 'dead' });
  });

  test('that is dead and owes nothing tries the next one at once', async () => {
    const scene = channel();
    scene.answer = () => REFUSED;
    scene.take('a', 'b', 'c');
    await scene.clock.advance(HOUR);
    expect(scene.state()).toEqual({ waiting: 'idle' });
    scene.answer = () => TOLD;
    scene.take('d');
    await scene.clock.advance(0);
    expect(scene.sent.at(-1)).toEqual(['d', HOUR]);
    expect(scene.told.map(({ isOver }) => isOver)).toEqual([false, true]);
  });

  test('that is dead gives up what is a day old, and the oldest beyond what it may owe', async () => {
    const scene = channel();
    scene.mostOwed = 6;
    scene.answer = () => REFUSED;
    scene.take('a', 'b', 'c');
    await scene.clock.advance(10_000);
    scene.answer = () => FAILED;
    scene.take('d', 'e', 'f', 'g', 'h', 'i', 'j', 'k');
    const outcomes = () =>
      new Map(scene.kept.map(({ checkId, status, outcome }) => [checkId, `${status}: ${outcome}`]));
    expect(outcomes().get('check e')).toBe(
      'FAILURE: The channel is dead, and more than 6 are owed.',
    );
    await scene.clock.advance(25 * HOUR);
    const last = scene.kept.at(-1);
    expect(last).toMatchObject({ notice: { kind: 'digest', count: 6 }, status: 'FAILURE' });
    expect(last?.outcome).toBe('The channel was dead for 24 hours.');
  });

  test('that was edited is tried at once', async () => {
    const scene = channel();
    scene.answer = () => FAILED;
    scene.take('a');
    await scene.clock.advance(1_000);
    scene.answer = () => TOLD;
    scene.actor.send({ type: 'TRY_NOW' });
    await scene.clock.advance(0);
    expect(scene.sent.map(([, atMs]) => atMs)).toEqual([0, 1_000]);
  });

  test.each([
    ['fails', FAILED],
    ['is refused for good', REFUSED],
  ])(
    'that is dead and edited while a probe is under way is tried again at once when that %s',
    async (_how, answer) => {
      const scene = channel();
      scene.answer = () => REFUSED;
      scene.take('a', 'b', 'c');
      await scene.clock.advance(10_000);
      const answers = Promise.withResolvers<Delivery>();
      scene.answer = () => answers.promise;
      scene.take('d', 'e');
      await scene.clock.advance(MINUTE);
      expect(scene.state()).toEqual({ delivering: 'sending' });
      scene.actor.send({ type: 'TRY_NOW' });
      scene.answer = () => TOLD;
      answers.resolve(answer);
      const before = scene.sent.length;
      await scene.clock.advance(0);
      expect(scene.sent.length).toBeGreaterThan(before);
      expect(scene.told.at(-1)?.isOver).toBe(true);
    },
  );

  test('that is edited is tried at once with what was read back as waiting for its next try', async () => {
    const scene = channel();
    const now = scene.clock.now();
    const waiting = { ...owed('a', now), tries: 1, dueAt: now + 5 * MINUTE };
    scene.actor.send({ type: 'ENQUEUE', notifications: [waiting] });
    await scene.clock.advance(MINUTE);
    expect(scene.sent).toEqual([]);
    scene.actor.send({ type: 'TRY_NOW' });
    await scene.clock.advance(0);
    expect(scene.sent).toEqual([['a', MINUTE]]);
  });

  test('that is deleted gives up what it owes', async () => {
    const scene = channel();
    scene.answer = () => FAILED;
    scene.take('a', 'b');
    await scene.clock.advance(5_000);
    scene.exists = false;
    scene.actor.send({ type: 'TRY_NOW' });
    expect(scene.state()).toBe('gone');
    expect([scene.statusesOf('a').at(-1), scene.statusesOf('b')]).toEqual(['FAILURE', ['FAILURE']]);
    expect(scene.kept.at(-1)?.outcome).toBe('The channel was deleted.');
  });

  test('that groups alerts itself is sent an event for each check, at once and never in one', async () => {
    const scene = channel();
    scene.groupsAlerts = true;
    scene.take('a', 'b', 'c', 'd', 'e', 'f');
    await scene.clock.advance(0);
    expect(scene.sent).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 0]));
  });

  test('that was dead before a restart is asked at once, and said to work then', async () => {
    const dead = { probes: 4, probeAt: Number.MAX_SAFE_INTEGER };
    const since = Date.UTC(2025, 11, 31);
    const scene = channel(
      {},
      { health: { failedInRow: 3, failingSince: since, dead }, incidents: [] },
    );
    scene.take('a');
    await scene.clock.advance(0);
    expect(scene.sent).toEqual([['a', 0]]);
    expect(scene.told).toMatchObject([{ isOver: true, since: '2025-12-31T00:00:00.000Z' }]);
  });

  test('stops at once where nothing is under way, else after that', async () => {
    const idle = channel();
    idle.actor.send({ type: 'STOP' });
    expect(idle.state()).toBe('stopped');

    const busy = channel();
    const answers = Promise.withResolvers<Delivery>();
    busy.answer = () => answers.promise;
    busy.take('a', 'b');
    await busy.clock.advance(2_000);
    busy.actor.send({ type: 'STOP' });
    expect(busy.state()).toEqual({ delivering: 'sending' });
    answers.resolve(TOLD);
    await busy.clock.advance(0);
    expect([busy.state(), busy.statusesOf('a').at(-1)]).toEqual(['stopped', 'SUCCESS']);
    expect(busy.statusesOf('b')).toEqual([]);
  });

  test.each([-HOUR, HOUR])('goes on though its clock is set by %i ms', async (jumpMs) => {
    const scene = channel({ messagesPerMinute: 2 });
    scene.answer = () => FAILED;
    scene.take('a', 'b');
    await scene.clock.advance(1_000);
    scene.clock.jump(jumpMs);
    scene.answer = () => TOLD;
    await scene.clock.advance(15 * MINUTE);
    expect([scene.statusesOf('a').at(-1), scene.statusesOf('b').at(-1)]).toEqual([
      'SUCCESS',
      'SUCCESS',
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMutex } from '#main/platform/mutex.ts';
import { SloCounter } from '#main/slos/slo-counter.ts';
import { SloWatch } from '#main/slos/slo-watch.ts';
import { StoreError } from '#main/store/store-error.ts';
import { type Slo, type SloBody, sloCreate } from '#shared/analytics/slo.ts';
import type { ApplianceContent } from '#shared/notifications/notice.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { FakeMonitor } from '../../fixtures/fake-monitor.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { makeChannel } from '../../fixtures/notification-contents.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function scene(given: Partial<SloBody> = {}) {
  const clock = new SimulatedClock();
  const configuration = new MemoryConfiguration();
  const history = new MemoryHistory();
  const monitor = new FakeMonitor();
  const { log, lines } = recordedLog();
  const check = makeCheck('URL', { tags: ['shop'] });
  await configuration.checks.put(check);
  const body = sloCreate.parse({
    name: 'Shop',
    target: { checkId: check.id },
    objective: { kind: 'AVAILABILITY', percent: 99.9 },
    ...given,
  });
  const stamps = { id: randomUUID(), burningSince: null, updated_at: null };
  const slo: Slo = { ...body, ...stamps, created_at: new Date(clock.now()).toISOString() };
  await configuration.slos.put(slo);
  for (const id of ['1', '2']) {
    const config = { name: id, url: 'http://x.test' };
    await configuration.channels.put(
      makeChannel('WEBHOOK', config, { id, sendFailure: id === '1' }),
    );
  }
  const sent: StoredNotification[] = [];
  const outbox = {
    writeAndEnqueue: async (notifications: readonly StoredNotification[]) => {
      sent.push(...notifications);
    },
  };
  let counted = 0;
  const counter = new SloCounter({
    configuration,
    clock,
    history: {
      countRuns: (query) => {
        counted++;
        return history.countRuns(query);
      },
    },
  });
  const start = () => {
    const parts = { configuration, counter, monitor, outbox, mutex: createMutex(), clock, log };
    const watch = new SloWatch(parts);
    onTestFinished(() => watch.close());
    return watch;
  };
  /** A run each minute, of which some fail. */
  const runs = async (minutes: number, hasFailures = false, members: object = {}) => {
    for (let n = 0; n < minutes; n++) {
      await clock.advance(MINUTE);
      const result = makeResult(clock.now(), {
        checkId: check.id,
        hasFailures,
        slot: null,
        ...members,
      });
      await history.write({ results: [{ result, detail: '{}' }] });
      for (const listener of monitor.listeners) listener.result(result);
    }
  };
  const told = () =>
    sent.map(({ channelId, notice }) => {
      const { condition, isOver, slo: of } = notice as ApplianceContent;
      return `${channelId} ${condition} ${of?.name} ${isOver ? 'over' : 'begins'}`;
    });
  const stored = () => configuration.slos.get(slo.id)?.burningSince ?? null;
  const countedSince = () => {
    const before = counted;
    counted = 0;
    return before;
  };
  return { clock, configuration, check, slo, sent, told, stored, start, runs, countedSince, lines };
}

const BEGINS = '1 SLO_BURN Shop begins';
const OVER = '1 SLO_BURN Shop over';

describe('an error budget that burns fast', () => {
  test('is told once when it begins and once when it is over', async () => {
    const { runs, start, told, stored, sent } = await scene();
    start();
    await runs(6 * 60);
    await runs(4, true);
    expect(told()).toEqual([BEGINS]);
    await runs(59);
    expect(told()).toEqual([BEGINS]);
    expect(stored()).toMatch(/Z$/);
    await runs(10);
    expect(told()).toEqual([BEGINS, OVER]);
    expect(stored()).toBeNull();
    const [begin, end] = sent.map(({ notice }) => notice as ApplianceContent);
    expect(begin?.reason).toMatch(
      /^It burns [\d.]+ times as fast as it may over the last hour, [\d.]+ times over six hours: the budget of 30 days would last \d+ h/,
    );
    expect(end).toMatchObject({ since: begin?.since, lastedMs: expect.any(Number) });
  });

  test('is not told for a single bad run of many', async () => {
    const { runs, start, told } = await scene();
    start();
    await runs(6 * 60);
    await runs(1, true);
    await runs(30);
    expect(told()).toEqual([]);
  });

  test('is neither told again after a restart, nor is its end forgotten', async () => {
    const { runs, start, told } = await scene();
    const first = start();
    await runs(20, true);
    first.close();
    await runs(5, true);
    start();
    await runs(5, true);
    expect(told()).toEqual([BEGINS]);
    await runs(70);
    expect(told()).toEqual([BEGINS, OVER]);
  });

  test('is over where there are no more runs', async () => {
    const { runs, start, told, clock } = await scene();
    start();
    await runs(20, true);
    await clock.advance(2 * HOUR);
    expect(told()).toEqual([BEGINS, OVER]);
  });

  test('is over where the objective is deleted, or is to alert no longer', async () => {
    const deleted = await scene();
    deleted.start();
    await deleted.runs(20, true);
    await deleted.configuration.slos.delete(deleted.slo.id);
    expect(deleted.told()).toEqual([BEGINS, OVER]);
    const quiet = await scene();
    quiet.start();
    await quiet.runs(20, true);
    const burning = quiet.configuration.slos.get(quiet.slo.id) as Slo;
    await quiet.configuration.slos.put({ ...burning, alertOnFastBurn: false });
    await quiet.runs(2, true);
    expect(quiet.told()).toEqual([BEGINS, OVER]);
    expect(quiet.stored()).toBeNull();
  });

  test('is told to the channels that are named', async () => {
    const { runs, start, told } = await scene({ alertChannelIds: [2, 77] });
    start();
    await runs(20, true);
    expect(told()).toEqual(['2 SLO_BURN Shop begins']);
  });

  test('is told once, however long the disk takes nothing, and stored once it does', async () => {
    const { runs, start, told, stored, configuration, lines } = await scene();
    start();
    configuration.slos.failure = new StoreError('FULL', 'The disk is full.');
    await runs(20, true);
    expect([told(), stored()]).toEqual([[BEGINS], null]);
    expect(lines.map(({ level }) => level)).toContain('error');
    configuration.slos.failure = undefined;
    await runs(2, true);
    expect([told(), stored()]).toEqual([[BEGINS], expect.any(String)]);
  });
});

test('slow runs burn the budget of a goal of latency, and not that of availability', async () => {
  const slow = { responseTime: 800 };
  const latency = await scene({ objective: { kind: 'LATENCY', percent: 99.9, underMs: 500 } });
  latency.start();
  await latency.runs(20, false, slow);
  expect(latency.told()).toEqual([BEGINS]);
  const availability = await scene();
  availability.start();
  await availability.runs(20, false, slow);
  expect(availability.told()).toEqual([]);
});

test('the checks of a tag count together, those of their group too', async () => {
  const { runs, start, told } = await scene({ target: { tag: 'shop' } });
  start();
  await runs(20, true);
  expect(told()).toEqual([BEGINS]);
});

test('where all is well nothing is read, after the first look', async () => {
  const { runs, start, countedSince } = await scene();
  await runs(5);
  start();
  await runs(5);
  expect(countedSince()).toBe(1);
  await runs(60);
  expect(countedSince()).toBe(0);
  await runs(1, true);
  await runs(2);
  expect(countedSince()).toBeGreaterThan(0);
});

test('inconclusive runs burn nothing', async () => {
  const { runs, start, told } = await scene();
  start();
  await runs(20, false, { hasErrors: true });
  expect(told()).toEqual([]);
});

import pino from 'pino';
import { expect, test } from 'vitest';
import { Recorder } from '#main/monitoring/recorder.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import { alertEngine } from '../../fixtures/alert-engine.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

/** A store whose disk is full until it is not. */
class FullHistory extends MemoryHistory {
  full = true;
  /** The time of an event that cannot be written now. */
  failing: number | null = null;

  override async write(facts: HistoryRecords): Promise<void> {
    if (this.full) throw new StoreError('FULL', 'The disk is full.');
    const times = facts.heartbeatEvents?.map(({ timestamp }) => timestamp) ?? [];
    if (this.failing !== null && times.includes(this.failing)) {
      throw new StoreError('IO', 'The disk fails.');
    }
    if (times.some((time) => time < 0)) {
      throw new StoreError('INVALID', 'No such time.');
    }
    await super.write(facts);
  }
}

const CHECK = '2f6f9c1e-58a1-4f3e-9f0e-0f6a1f6a2b11';

const event = (n: number): StoredHeartbeatEvent => ({
  id: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  checkId: CHECK,
  state: 'RECEIVED',
  timestamp: n,
  source: null,
  userAgent: null,
});

function setUp() {
  const clock = new SimulatedClock();
  const history = new FullHistory();
  const configuration = new MemoryConfiguration();
  const { desk: alerts } = alertEngine({ configuration, clock });
  const log = pino({ level: 'silent' });
  const recorder = new Recorder({ history, clock, log, alerts, alertMoved: () => {} });
  recorder.open(CHECK, undefined);
  return { clock, history, alerts, recorder };
}

test('what happens while the store fails is kept in its order once it works again', async () => {
  const { clock, history, recorder } = setUp();
  const kept = await Promise.all([1, 2, 3].map((n) => recorder.heartbeat(event(n), {})));
  expect(kept).toEqual([false, false, false]);
  await clock.advance(10_000);
  expect(history.heartbeatEvents).toEqual([]);
  history.full = false;
  await clock.advance(10_000);
  expect(history.heartbeatEvents.map(({ timestamp }) => timestamp)).toEqual([1, 2, 3]);
  expect(await recorder.heartbeat(event(4), {})).toBe(true);
});

test('a status is there at once, however the store does', async () => {
  const { recorder } = setUp();
  expect(recorder.statusOf(CHECK)).toBeUndefined();
  await recorder.heartbeat({ ...event(1), state: 'FAILING' }, {});
  expect(recorder.statusOf(CHECK)).toMatchObject({ hasFailures: true });
});

test('facts about a check that is gone are dropped', async () => {
  const { history, recorder } = setUp();
  history.full = false;
  recorder.forget(CHECK);
  expect(await recorder.heartbeat(event(1), {})).toBe(false);
  expect(history.heartbeatEvents).toEqual([]);
});

test('a fact that the store refuses for good does not hold up the others', async () => {
  const { clock, history, recorder } = setUp();
  for (const n of [1, -1, 2]) await recorder.heartbeat(event(n), {});
  history.full = false;
  await clock.advance(10_000);
  expect(history.heartbeatEvents.map(({ timestamp }) => timestamp)).toEqual([1, 2]);
});

test('a state that waited is kept as it is by then, not as it was', async () => {
  const { clock, history, recorder } = setUp();
  await recorder.heartbeat(event(1), { lastResetAt: 1 });
  await recorder.heartbeat(event(2), { lastResetAt: 2 });
  history.full = false;
  await clock.advance(10_000);
  expect(history.states.get(CHECK)?.actor).toEqual({ lastResetAt: 2 });
});

test('a state that waited does not take the place of one that was written meanwhile', async () => {
  const { clock, history, recorder } = setUp();
  Object.assign(history, { full: false, failing: 1 });
  const kept = [1, 2].map((n) => recorder.heartbeat(event(n), { lastResetAt: n }));
  expect(await Promise.all(kept)).toEqual([false, true]);
  history.failing = null;
  await clock.advance(10_000);
  expect(history.heartbeatEvents.map(({ timestamp }) => timestamp)).toEqual([2, 1]);
  expect(history.states.get(CHECK)?.actor).toEqual({ lastResetAt: 2 });
});

test('a state that waited while its check was deleted is dropped', async () => {
  const { clock, history, recorder } = setUp();
  await recorder.heartbeat(event(1), { lastResetAt: 1 });
  recorder.forget(CHECK);
  history.full = false;
  await clock.advance(10_000);
  expect(history.states.size).toBe(0);
});

test('a follower that throws is no failure of the store, and the others are told all the same', async () => {
  const { history, alerts, recorder } = setUp();
  history.full = false;
  alerts.kept = () => {
    throw new Error('a fault of ours');
  };
  const told: string[] = [];
  expect(await recorder.beside({}, () => told.push('second'))).toBe(true);
  expect({ told, isStoreFailing: recorder.isStoreFailing }).toEqual({
    told: ['second'],
    isStoreFailing: false,
  });
});

test('listeners hear of what is kept once it is, and one that throws disturbs nobody', async () => {
  const { clock, history, recorder } = setUp();
  const heard: number[] = [];
  const listener = { result: () => {}, heartbeat: () => {} };
  recorder.listen({
    ...listener,
    heartbeat: () => {
      throw new Error('a fault of ours');
    },
  });
  const stop = recorder.listen({
    ...listener,
    heartbeat: ({ timestamp }) => heard.push(timestamp),
  });
  await recorder.heartbeat(event(1), {});
  expect(heard).toEqual([]);
  history.full = false;
  await clock.advance(10_000);
  expect(heard).toEqual([1]);
  stop();
  await recorder.heartbeat(event(2), {});
  expect(heard).toEqual([1]);
});

test('slots that an overload skips before and after the clock was set back are two gaps', async () => {
  const { history, recorder } = setUp();
  history.full = false;
  const skip = (slot: number) =>
    recorder.holdSkip(
      { lastSlot: slot },
      { checkId: CHECK, fromSlot: slot, toSlot: slot, count: 1, reason: 'overload' },
    );
  for (const slot of [50_000, 60_000, 20_000, 30_000]) skip(slot);
  await recorder.heartbeat(event(1), {});
  expect(history.skips.map(({ fromSlot, toSlot, count }) => [fromSlot, toSlot, count])).toEqual([
    [50_000, 60_000, 2],
    [20_000, 30_000, 2],
  ]);
});

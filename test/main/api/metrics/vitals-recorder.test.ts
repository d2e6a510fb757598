import { afterEach, expect, test } from 'vitest';
import { VitalsRecorder } from '#main/api/metrics/vitals-recorder.ts';
import { FakeMonitor } from '../../../fixtures/fake-monitor.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';
import { makeResult } from '../../store/records.ts';

const NOW = Date.UTC(2026, 0, 15, 12);

let open: VitalsRecorder | undefined;
afterEach(() => open?.stop());

function start() {
  const clock = new SimulatedClock(NOW);
  const monitor = new FakeMonitor();
  open = new VitalsRecorder({
    clock,
    monitor,
    dispatcher: { inFlight: 3 },
    outbox: { pending: 1 },
    history: { writeLoad: { waiting: 2 } },
  });
  return { clock, monitor, recorder: open };
}

test('every ten seconds it notes how many runs ended, how late they began, and what waits', async () => {
  const { clock, monitor, recorder } = start();
  for (const late of [5, 40, -1]) {
    for (const { result } of monitor.listeners)
      result(makeResult({ slot: NOW, startedAt: NOW + late, attempts: 0 }).result);
  }
  for (const { result } of monitor.listeners)
    result(makeResult({ slot: null, startedAt: NOW + 9_000 }).result);
  await clock.advance(10_000);
  await clock.advance(10_000);
  const { samples, startedAt, everyMs } = recorder.read();
  expect({ startedAt, everyMs }).toEqual({ startedAt: NOW, everyMs: 10_000 });
  expect(samples).toMatchObject([
    {
      at: NOW + 10_000,
      runs: 4,
      lateMs: 40,
      runsInFlight: 3,
      recordsWaiting: 2,
      notificationsPending: 1,
    },
    { at: NOW + 20_000, runs: 0, lateMs: null },
  ]);
});

test('it holds an hour', async () => {
  const { clock, recorder } = start();
  for (let n = 0; n < 370; n++) await clock.advance(10_000);
  const { samples } = recorder.read();
  expect(samples.length).toBe(360);
  expect(samples[0]?.at).toBe(NOW + 110_000);
});

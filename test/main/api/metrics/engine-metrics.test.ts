import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addEngineMetrics } from '#main/api/metrics/engine-metrics.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { NotificationStatus, StoredNotification } from '#shared/notifications/notification.ts';
import { makeResult } from '../../../fixtures/fake-check-runs.ts';
import { FakeMonitor } from '../../../fixtures/fake-monitor.ts';
import { MemoryHistory } from '../../../fixtures/memory-history.ts';
import { promtoolProblems } from '../../../fixtures/promtool.ts';

function setUp() {
  const registry = new Registry();
  const monitor = new FakeMonitor();
  const history = new MemoryHistory();
  let settle = (_status: NotificationStatus) => {};
  let wrote = (_ms: number) => {};
  const outbox = {
    pending: 4,
    listen(listener: (settled: StoredNotification) => void) {
      settle = (status) => listener({ status } as StoredNotification);
    },
  };
  const writeLoad = {
    waiting: 7,
    listen(listener: (ms: number) => void) {
      wrote = listener;
    },
  };
  Object.assign(history, { writeLoad });
  addEngineMetrics({ registry, monitor, dispatcher: { inFlight: 3 }, outbox, history });
  const scrape = async () => {
    const text = await registry.metrics();
    expect(promtoolProblems(text)).toBe('');
    return text.split('\n');
  };
  return {
    monitor,
    history,
    scrape,
    settle: (status: NotificationStatus) => settle(status),
    wrote: (ms: number) => wrote(ms),
  };
}

test('runs count by their lateness and their duration', async () => {
  const { monitor, scrape } = setUp();
  const results = [
    makeResult(0, { slot: 1_000, startedAt: 1_004, stoppedAt: 1_304 }),
    makeResult(0, { slot: 1_000, startedAt: 9_000, stoppedAt: 9_300, attempts: 1 }),
    makeResult(0, { slot: null, startedAt: 9_000, stoppedAt: 9_300, checkType: 'DNS' }),
    makeResult(0, { slot: 1_000, startedAt: 5_000, stoppedAt: 9_000, checkType: 'MULTI_STEP' }),
  ];
  for (const result of results) for (const listener of monitor.listeners) listener.result(result);
  expect(await scrape()).toEqual(
    expect.arrayContaining([
      'watchpost_run_lateness_seconds_bucket{le="0.0025"} 0',
      'watchpost_run_lateness_seconds_bucket{le="0.005"} 1',
      'watchpost_run_lateness_seconds_count 1',
      'watchpost_browser_wait_seconds_bucket{le="1"} 0',
      'watchpost_browser_wait_seconds_sum 4',
      'watchpost_run_duration_seconds_count{check_type="URL"} 2',
      'watchpost_run_duration_seconds_sum{check_type="DNS"} 0.3',
    ]),
  );
});

test('queues, writes and notifications are told, those with zeros that have not happened', async () => {
  const { monitor, scrape, settle, wrote } = setUp();
  monitor.isStoreFailing = true;
  settle('SUCCESS');
  wrote(3);
  expect(await scrape()).toEqual(
    expect.arrayContaining([
      'watchpost_runs_in_flight 3',
      'watchpost_notifications_pending 4',
      'watchpost_notifications_total{status="SUCCESS"} 1',
      'watchpost_notifications_total{status="FAILURE"} 0',
      'watchpost_store_records_waiting 7',
      'watchpost_store_failing 1',
      'watchpost_store_write_seconds_bucket{le="0.005"} 1',
      'watchpost_incidents_open 0',
      'watchpost_mailings_pending 0',
      'watchpost_database_bytes 1000',
    ]),
  );
});

test('while the store does not answer, all else is told and its last numbers stay', async () => {
  const { history, scrape } = setUp();
  await scrape();
  history.readLoad = () => Promise.reject(new StoreError('IO', 'The disk fails.'));
  expect(await scrape()).toEqual(
    expect.arrayContaining(['watchpost_database_bytes 1000', 'watchpost_runs_in_flight 3']),
  );
});

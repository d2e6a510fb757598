import { Counter, Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreError } from '#main/store/store-error.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';

const registry = new Registry();

let api: Harness;
beforeAll(async () => {
  api = await startApi({ registry });
});
afterAll(() => api.close());

test('/healthz and /readyz need no key', async () => {
  expect((await api.call('GET', '/healthz', { key: null })).body).toEqual({ status: 'ok' });
  expect((await api.call('GET', '/readyz', { key: null })).body).toEqual({ status: 'ready' });
});

const DOUBT = { now: Date.UTC(2026, 2, 1), believedAt: Date.UTC(2026, 0, 1) };
const CLOCK_WARNING =
  'The clock is 59 days ahead of when Watchpost ran last: nothing is removed for its age until POST /app/storage/confirm-clock says that it is right.';
const ROOM_WARNING =
  'The history takes 93 % of its room (WATCHPOST_HISTORY_MEGABYTES): where it takes more than all of it, the oldest results are removed.';

test('/readyz and /app/storage warn of a history that is nearly full and of a clock that jumped', async () => {
  const before = api.history.storage;
  api.history.storage = { usedBytes: 939, budgetBytes: 1_000, doubt: DOUBT };
  const warnings = [CLOCK_WARNING, ROOM_WARNING];
  expect((await api.call('GET', '/readyz')).body).toEqual({ status: 'ready', warnings });
  const kinds = expect.arrayContaining([
    { kind: 'results', bytes: 100, days: 30, maxBytes: null, oldestAt: null },
  ]);
  const numbers = { usedBytes: 939, budgetBytes: 1_000, kinds };
  expect((await api.call('GET', '/app/storage')).body).toEqual({
    ...numbers,
    isClockBelieved: false,
    warnings,
  });
  expect((await api.call('POST', '/app/storage/confirm-clock')).body).toEqual({
    ...numbers,
    isClockBelieved: true,
    warnings: [ROOM_WARNING],
  });
  const keyless = await api.call('POST', '/app/storage/confirm-clock', { key: null });
  expect(keyless.status).toBe(401);
  api.history.storage = before;
});

test('/readyz and /app/storage warn of slots that are skipped in an overload', async () => {
  api.monitor.isOverloaded = true;
  const warnings = [
    'Results come faster than the history can write them: slots of checks are skipped, so that what ran is kept.',
  ];
  expect((await api.call('GET', '/readyz')).body).toEqual({ status: 'ready', warnings });
  expect((await api.call('GET', '/app/storage')).body).toMatchObject({ warnings });
  api.monitor.isOverloaded = false;
});

test('/readyz answers 503 and says why where the store keeps nothing', async () => {
  const probe = api.history.probe.bind(api.history);
  api.history.probe = async () => {
    throw new StoreError('FULL', '/home/somebody/history.db: database or disk is full');
  };
  const answer = await api.call('GET', '/readyz');
  expect(answer.body).toEqual({
    statusCode: 503,
    error: 'Service Unavailable',
    message: 'The store cannot keep anything: the disk of the data folder is full',
  });
  expect((await api.call('GET', '/healthz')).status).toBe(200);
  api.history.probe = probe;
});

test('/readyz answers 503 while what happened waits in memory', async () => {
  api.monitor.isStoreFailing = true;
  const answer = await api.call('GET', '/readyz');
  expect([answer.status, (answer.body as { message: string }).message]).toEqual([
    503,
    'The store fails: what happens waits in memory until it can be kept',
  ]);
  api.monitor.isStoreFailing = false;
});

test('/readyz answers 503 where the writer of the configuration is dead', async () => {
  const probe = api.configuration.probe.bind(api.configuration);
  api.configuration.probe = async () => {
    throw new StoreError('LOST', 'The configuration writer is given up.');
  };
  const answer = await api.call('GET', '/readyz');
  expect([answer.status, (answer.body as { message: string }).message]).toEqual([
    503,
    'No change of the configuration can be kept until a restart: its thread ended',
  ]);
  api.configuration.probe = probe;
});

test('/readyz answers 503 where the store is silent for two seconds', async () => {
  const probe = api.history.probe.bind(api.history);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  api.history.probe = () => {
    ask();
    return new Promise(() => undefined);
  };
  const answer = api.call('GET', '/readyz');
  await asked;
  await api.clock.advance(2_000);
  expect((await answer).status).toBe(503);
  api.history.probe = probe;
});

test('/metrics tells of the process, the checks and the runs', async () => {
  const [passing, failing, unseen] = [makeCheck('URL'), makeCheck('URL'), makeCheck('TCP')];
  const checks = [passing, failing, unseen, makeCheck('DNS')];
  for (const check of checks) await api.configuration.checks.put(check);
  api.monitor.statuses.set(passing.id, keptStatus());
  api.monitor.statuses.set(failing.id, keptStatus({ hasFailures: true }));
  api.monitor.statuses.set(unseen.id, keptStatus({ hasErrors: true }));
  const skipped = { overlap: 1, down: 0, asleep: 0, maintenance: 0, overload: 4, blind: 2 };
  api.monitor.counts = { settled: 12, retried: 3, skipped };
  new Counter({ name: 'added_elsewhere_total', help: 'x', registers: [registry] }).inc(7);
  const answer = await api.call('GET', '/metrics');
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = String(answer.body).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'watchpost_checks{check_type="URL"} 2',
      'watchpost_checks{check_type="DNS"} 1',
      'watchpost_checks{check_type="API"} 0',
      'watchpost_check_statuses{status="passing"} 1',
      'watchpost_check_statuses{status="failing"} 1',
      'watchpost_check_statuses{status="inconclusive"} 1',
      'watchpost_check_statuses{status="unknown"} 1',
      'watchpost_runs_total{outcome="settled"} 12',
      'watchpost_runs_total{outcome="skipped"} 7',
      'watchpost_skipped_slots_total{reason="blind"} 2',
      'watchpost_skipped_slots_total{reason="overload"} 4',
      'added_elsewhere_total 7',
      expect.stringMatching(/^process_cpu_seconds_total \d/),
    ]),
  );
});

import { describe, expect, test } from 'vitest';
import { scheduleOf } from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import type { MemoryHistory } from '../../fixtures/memory-history.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const fixed = { type: 'FIXED', baseBackoffSeconds: 5, sameRegion: true, maxRetries: 3 } as const;
type Members = Parameters<typeof makeCheck<'URL'>>[1];
const hourly = (members: Members = {}) =>
  makeCheck('URL', { frequency: 60, frequencyOffset: 300, retryStrategy: fixed, ...members });

const summary = ({ results }: MemoryHistory) =>
  results.map(({ result }) => `${result.resultType} ${result.attempts}`);

describe('a failing run', () => {
  test('is tried again until its retries are used up: one FINAL result, one sequence', async () => {
    const { clock, runner, history } = await simulatedMonitor([hourly()]);
    runner.outcome = FAILING;
    await clock.advance(MINUTE);
    expect(summary(history)).toEqual(['ATTEMPT 0', 'ATTEMPT 1', 'ATTEMPT 2', 'FINAL 3']);
    expect(new Set(history.results.map(({ result }) => result.sequenceId)).size).toBe(1);
    expect(new Set(history.results.map(({ result }) => result.checkRunId)).size).toBe(1);
    expect(new Set(history.results.map(({ result }) => result.slot)).size).toBe(1);
  });

  test('that passes on a retry ends there', async () => {
    const { clock, runner, history, root } = await simulatedMonitor([hourly()]);
    runner.outcomes.push(FAILING, FAILING);
    await clock.advance(MINUTE);
    expect(summary(history)).toEqual(['ATTEMPT 0', 'ATTEMPT 1', 'FINAL 2']);
    expect(root.runCounts()).toMatchObject({ settled: 1, retried: 2 });
  });

  test.each([
    ['FIXED', [5, 5, 5]],
    ['LINEAR', [5, 10, 15]],
    ['EXPONENTIAL', [5, 25, 125]],
    ['SINGLE_RETRY', [5]],
  ] as const)('waits with %s from the end of each attempt: %j s', async (type, waits) => {
    const { maxRetries, ...once } = fixed;
    const retryStrategy =
      type === 'SINGLE_RETRY' ? { ...once, type } : { ...once, type, maxRetries };
    const { clock, runner } = await simulatedMonitor([hourly({ retryStrategy })]);
    runner.outcome = FAILING;
    runner.durationMs = 2 * SECOND;
    await clock.advance(10 * MINUTE);
    const starts = runner.requests.map(({ at }) => at);
    const gaps = starts.slice(1).map((at, n) => (at - (starts[n] ?? 0)) / SECOND - 2);
    expect(gaps).toEqual(waits);
  });

  test('is shown as the status only by its FINAL result', async () => {
    const check = hourly({ retryStrategy: { ...fixed, baseBackoffSeconds: 30 } });
    const { clock, runner, root } = await simulatedMonitor([check]);
    runner.outcomes.push(FAILING);
    await clock.advance(6 * SECOND);
    expect(root.statusOf(check.id)).toBeUndefined();
    await clock.advance(MINUTE);
    expect(root.statusOf(check.id)?.hasFailures).toBe(false);
  });
});

describe('where a retry runs', () => {
  const locations = ['eu-west-1', 'us-east-1', 'ap-south-1'] as const;
  test.each([
    ['in the same place', { sameRegion: true }, {}, ['eu-west-1', 'eu-west-1', 'eu-west-1']],
    ['in the next', { sameRegion: false }, {}, ['eu-west-1', 'us-east-1', 'ap-south-1']],
    [
      'in the same where there is only one',
      { sameRegion: false },
      { locations: ['eu-west-1'] },
      ['eu-west-1', 'eu-west-1', 'eu-west-1'],
    ],
  ] as const)('%s', async (_, strategy, members, places) => {
    const retryStrategy = { ...fixed, maxRetries: 2, ...strategy };
    const check = hourly({ locations: [...locations], retryStrategy, ...(members as Members) });
    const { clock, runner } = await simulatedMonitor([check]);
    runner.outcome = FAILING;
    await clock.advance(MINUTE);
    expect(runner.requests.map(({ request }) => request.location)).toEqual(places);
  });

  test('in parallel every location has its own attempts, and stays where it is', async () => {
    const retryStrategy = { ...fixed, maxRetries: 1, sameRegion: false };
    const check = hourly({ locations: [...locations], retryStrategy, runParallel: true });
    const { clock, runner, history } = await simulatedMonitor([check]);
    runner.outcomes.push(FAILING);
    await clock.advance(MINUTE);
    const results = history.results.map(
      ({ result }) => `${result.resultType} ${result.runLocation}`,
    );
    expect(results.sort()).toEqual([
      'ATTEMPT eu-west-1',
      'FINAL ap-south-1',
      'FINAL eu-west-1',
      'FINAL us-east-1',
    ]);
    expect(new Set(history.results.map(({ result }) => result.sequenceId)).size).toBe(3);
  });
});

describe('whether a run is tried again', () => {
  test.each([
    ['no strategy', { retryStrategy: null }, FAILING, 1],
    ['the older doubleCheck', { retryStrategy: undefined, doubleCheck: true }, FAILING, 2],
    ['doubleCheck off', { retryStrategy: undefined, doubleCheck: false }, FAILING, 1],
    ['a degraded run', {}, { isDegraded: true }, 1],
    ['our own trouble', {}, { hasErrors: true }, 1],
    ['a time limit of 0 s', { retryStrategy: { ...fixed, maxDurationSeconds: 0 } }, FAILING, 1],
    ['a time limit of 11 s', { retryStrategy: { ...fixed, maxDurationSeconds: 11 } }, FAILING, 3],
    [
      'only network errors, and one',
      { retryStrategy: { ...fixed, onlyOn: ['NETWORK_ERROR'] } },
      FAILING,
      4,
    ],
    [
      'only network errors, and an assertion',
      { retryStrategy: { ...fixed, onlyOn: ['NETWORK_ERROR'] } },
      { hasFailures: true, failure: { cause: 'ASSERTION', message: '' } },
      1,
    ],
  ] as const)('%s', async (_, members, outcome, attempts) => {
    const { clock, runner } = await simulatedMonitor([hourly(members as Members)]);
    runner.outcome = outcome as typeof runner.outcome;
    await clock.advance(10 * MINUTE);
    expect(runner.requests).toHaveLength(attempts);
  });

  test('a check that says nothing has the default of the account', async () => {
    const check = hourly({ retryStrategy: undefined });
    const { clock, runner, configuration } = await simulatedMonitor([check]);
    await configuration.account.put({
      id: 'account',
      name: 'Watchpost',
      runtimeId: '2025.04',
      created_at: new Date(0).toISOString(),
      retryStrategy: fixed,
    });
    runner.outcome = FAILING;
    await clock.advance(MINUTE);
    expect(runner.requests).toHaveLength(4);
  });
});

test('slots that pass while retries run are skipped and counted', async () => {
  const retryStrategy = { ...fixed, baseBackoffSeconds: 100, maxRetries: 2 };
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5, retryStrategy });
  const { clock, runner, history } = await simulatedMonitor([check]);
  runner.outcomes.push(FAILING, FAILING);
  await clock.advance(5 * MINUTE);
  expect(history.skips).toMatchObject([{ reason: 'overlap' }]);
  const { periodMs } = scheduleOf(check);
  const first = runner.requests[0]?.at ?? 0;
  expect(history.skips[0]?.count).toBe(
    Math.floor((first + 200 * SECOND - (history.skips[0]?.fromSlot ?? 0)) / periodMs) + 1,
  );
});

describe('a restart', () => {
  const strategy = { ...fixed, baseBackoffSeconds: 60, maxRetries: 2 };

  async function waitingForRetry() {
    const check = hourly({ retryStrategy: strategy });
    const first = await simulatedMonitor([check]);
    first.runner.outcome = FAILING;
    await first.clock.advance(10 * SECOND);
    expect(summary(first.history)).toEqual(['ATTEMPT 0']);
    return { check, first, dueAt: (first.runner.requests[0]?.at ?? 0) + MINUTE };
  }

  test.each(['killed', 'stopped'])(
    'when %s in a wait goes on waiting, in the same sequence',
    async (how) => {
      const { first, dueAt } = await waitingForRetry();
      if (how === 'stopped') await first.root.stop();
      const second = await simulatedMonitor([], { ...first, clock: first.clock });
      await second.clock.advance(2 * MINUTE);
      const life = how === 'stopped' ? first : null;
      expect(life?.runner.requests ?? [1]).toHaveLength(1);
      expect(second.runner.requests.map(({ at }) => at)).toEqual([dueAt]);
      const sequences = new Set(second.history.results.map(({ result }) => result.sequenceId));
      expect(sequences.size).toBe(1);
    },
  );

  test('long after the retry was due makes it at once, and counts the slots between', async () => {
    const { first } = await waitingForRetry();
    await first.root.stop();
    first.clock.jump(5 * HOUR);
    const second = await simulatedMonitor([], first);
    await second.clock.advance(SECOND);
    expect(second.runner.requests).toHaveLength(1);
    expect(summary(second.history)).toEqual(['ATTEMPT 0', 'FINAL 1']);
    expect(second.history.skips).toMatchObject([{ count: 5, reason: 'down' }]);
  });

  test('in the middle of a retry makes that retry again', async () => {
    const { first } = await waitingForRetry();
    first.runner.durationMs = 20 * SECOND;
    await first.clock.advance(MINUTE);
    expect(first.runner.underWay).toBe(1);
    const second = await simulatedMonitor([], first);
    await second.clock.advance(SECOND);
    expect(summary(second.history)).toEqual(['ATTEMPT 0', 'FINAL 1']);
  });

  test('after one of several locations is done asks only the others', async () => {
    const check = hourly({
      locations: ['eu-west-1', 'us-east-1'],
      runParallel: true,
      retryStrategy: strategy,
    });
    const first = await simulatedMonitor([check]);
    first.runner.outcomes.push(FAILING);
    await first.clock.advance(10 * SECOND);
    await first.root.stop();
    const second = await simulatedMonitor([], first);
    await second.clock.advance(2 * MINUTE);
    expect(second.runner.requests.map(({ request }) => request.location)).toEqual(['eu-west-1']);
    expect(summary(second.history)).toEqual(['ATTEMPT 0', 'FINAL 0', 'FINAL 1']);
  });
});

describe('while a retry is waited for', () => {
  test('a deactivated check still comes to its FINAL result, and then sleeps', async () => {
    const check = hourly();
    const { clock, runner, history, configuration } = await simulatedMonitor([check]);
    runner.outcomes.push(FAILING);
    await clock.advance(6 * SECOND);
    await configuration.checks.put({ ...check, activated: false });
    await clock.advance(5 * HOUR);
    expect(summary(history)).toEqual(['ATTEMPT 0', 'FINAL 1']);
  });

  test('a deleted check is asked no more', async () => {
    const check = hourly();
    const { clock, runner, configuration } = await simulatedMonitor([check]);
    runner.outcome = FAILING;
    await clock.advance(6 * SECOND);
    const before = runner.requests.length;
    await configuration.checks.delete(check.id);
    await clock.advance(HOUR);
    expect(runner.requests).toHaveLength(before);
  });
});

describe('a check with a template', () => {
  const request = {
    method: 'GET' as const,
    url: 'http://127.0.0.1/{{CHECK_RESULT_ID}}',
    followRedirects: true,
    skipSSL: false,
    ipFamily: 'IPv4' as const,
    bodyType: 'NONE' as const,
    body: '',
    headers: [],
    queryParameters: [],
    assertions: [],
  };
  const failsOnce = async () => {
    const check = makeCheck('API', {
      frequency: 60,
      frequencyOffset: 300,
      retryStrategy: fixed,
      request,
    });
    const monitor = await simulatedMonitor([check]);
    monitor.runner.durationMs = 2 * SECOND;
    monitor.runner.outcomes.push(FAILING);
    await monitor.clock.advance(MINUTE);
    return { ...monitor, check };
  };

  test('reads the id that the result of its attempt gets', async () => {
    const { runner, history } = await failsOnce();
    const told = runner.requests.map(({ request }) => request.scope?.builtIns.CHECK_RESULT_ID);
    expect(history.results.map(({ result }) => result.id)).toEqual(told);
    expect(new Set(told).size).toBe(2);
  });

  test('has results that were created when they were settled, not when their attempt began', async () => {
    const { history } = await failsOnce();
    const results = history.results.map(({ result }) => result);
    expect(results.map(({ createdAt, stoppedAt }) => createdAt - stoppedAt)).toEqual([0, 0]);
    expect(results.map(({ createdAt, startedAt }) => createdAt - startedAt)).toEqual([
      2 * SECOND,
      2 * SECOND,
    ]);
  });

  test('has a status that changed when its result was settled', async () => {
    const { root, history, check } = await failsOnce();
    const settledAt = history.results.at(-1)?.result.stoppedAt ?? 0;
    expect(root.statusOf(check.id)?.updated_at).toBe(new Date(settledAt).toISOString());
  });
});

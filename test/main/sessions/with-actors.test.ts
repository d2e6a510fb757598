import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { Sessions } from '#main/sessions/sessions.ts';
import { TestSessions } from '#main/sessions/test-sessions.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { RUN_SILENCE_MS, RUN_TIMEOUTS_MS } from '#shared/runs/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

/** A history whose disk can be full. */
class FullHistory extends MemoryHistory {
  full = false;

  override async write(facts: HistoryRecords): Promise<void> {
    if (this.full) throw new StoreError('FULL', 'The disk is full.');
    await super.write(facts);
  }
}

/** Sessions over the real actors of checks, on a simulated runner and clock. */
async function setUp(
  checks: readonly RunnableCheck[],
  before: Partial<Awaited<ReturnType<typeof simulatedMonitor>>> = {},
) {
  const monitor = await simulatedMonitor(before.configuration ? [] : checks, before);
  const { history, clock, root: runs, runner } = monitor;
  runner.durationMs = before.runner?.durationMs ?? 0;
  const parts = { history, runs, clock, log: pino({ level: 'silent' }) };
  const sessions = new Sessions(parts);
  const testSessions = new TestSessions(parts);
  await sessions.restore();
  await testSessions.restore();
  const kept = (id: string) => history.ofSessions.sessions.get(id);
  return { ...monitor, monitor, sessions, testSessions, kept };
}

const asleep = (count: number, members = {}) =>
  Array.from({ length: count }, () => makeCheck('URL', { activated: false, ...members }));

const options = { runSource: 'GROUP_RUN_ALL' } as const;

const testOptions = {
  name: 'Deployment',
  runLocation: 'eu-west-2',
  variables: [],
  retryStrategy: null,
  metadata: {},
};

test('ten checks, three at a time: never more than three at once, and in their order', async () => {
  const checks = asleep(10);
  const { sessions, runner, clock, kept } = await setUp(checks);
  runner.durationMs = 1_000;
  const made = await sessions.trigger(checks, { ...options, concurrency: 3 });
  await clock.advance(5_000);
  expect(runner.mostAtOnce).toBe(3);
  expect(runner.requests.map(({ request }) => request.check.id)).toEqual(
    checks.map(({ id }) => id),
  );
  expect(new Set(made.map(({ id }) => kept(id)?.status))).toEqual(new Set(['PASSED']));
});

test('a session of a check with a template took as long as its run', async () => {
  const check = makeCheck('API', { activated: false });
  check.request = { ...check.request, url: 'http://127.0.0.1/{{CHECK_RESULT_ID}}' };
  const { sessions, runner, clock, kept } = await setUp([check]);
  runner.durationMs = 2_500;
  const [{ id } = { id: '' }] = await sessions.trigger([check], options);
  await clock.advance(5_000);
  const { stoppedAt = null, createdAt = 0 } = kept(id) ?? {};
  expect((stoppedAt ?? 0) - createdAt).toBeGreaterThanOrEqual(2_500);
});

test('sessions of one group, whoever triggered them, share its concurrency', async () => {
  const checks = asleep(6);
  const { sessions, runner, clock, kept } = await setUp(checks);
  runner.durationMs = 1_000;
  const group = { ...options, groupId: 4, concurrency: 2 };
  const first = await sessions.trigger(checks.slice(0, 3), group);
  const second = await sessions.trigger(checks.slice(3), group);
  const others = await sessions.trigger([...asleep(0)], { ...group, groupId: 5 });
  await clock.advance(10_000);
  expect(runner.mostAtOnce).toBe(2);
  expect(runner.requests.map(({ request }) => request.check.id)).toEqual(
    checks.map(({ id }) => id),
  );
  const all = [...first, ...second, ...others];
  expect(all.map(({ id }) => kept(id)?.status)).toEqual(checks.map(() => 'PASSED'));
});

test('also after a restart, by the concurrency of the last trigger', async () => {
  const checks = asleep(6);
  const first = await setUp(checks);
  const group = { ...options, groupId: 4 };
  first.runner.durationMs = 60_000;
  await first.sessions.trigger(checks.slice(0, 3), { ...group, concurrency: 1 });
  await first.clock.advance(1_000);
  await first.sessions.trigger(checks.slice(3), { ...group, concurrency: 2 });
  await first.sessions.stop();
  await first.testSessions.stop();
  const second = await setUp([], first.monitor);
  await second.clock.advance(180_000);
  expect(second.runner.mostAtOnce).toBe(2);
  expect(second.runner.requests).toHaveLength(6);
});

test('a session that is cancelled makes room only once its attempt is over', async () => {
  const checks = asleep(4);
  const { sessions, runner, clock, kept } = await setUp(checks);
  runner.durationMs = 10_000;
  const made = await sessions.trigger(checks, { ...options, concurrency: 2 });
  await clock.advance(5_000);
  for (const { id } of made.slice(0, 2)) await sessions.cancel(id);
  await clock.advance(60_000);
  expect(runner.mostAtOnce).toBe(2);
  expect(made.map(({ id }) => kept(id)?.status)).toEqual([
    'CANCELLED',
    'CANCELLED',
    'PASSED',
    'PASSED',
  ]);
});

const twice = { type: 'FIXED', baseBackoffSeconds: 5, maxRetries: 2, sameRegion: true };

test.each([
  ['has its result', null, ['FINAL']],
  ['has that of its last retry', twice, ['ATTEMPT', 'ATTEMPT', 'FINAL']],
])('a session that waits for a busy runner %s, as the check has', async (_, strategy, types) => {
  const [check] = asleep(1, { retryStrategy: strategy });
  if (!check) throw new Error('There is no check.');
  const { sessions, runner, clock, kept, history } = await setUp([check]);
  // Each attempt, as long as the dispatcher waits for it.
  runner.busyMs = RUN_SILENCE_MS;
  runner.durationMs = RUN_TIMEOUTS_MS.URL - 1_000;
  runner.outcomes.push(...types.slice(1).map(() => FAILING));
  const [session] = await sessions.trigger([check], options);
  await clock.advance(600_000);
  const over = kept(session?.id ?? '');
  expect(over).toMatchObject({ status: 'PASSED' });
  expect(over?.results.map(({ resultType }) => resultType)).toEqual(types);
  expect(history.results.map(({ result }) => result.resultType)).toEqual(types);
});

test('a session shows each attempt and counts for its check', async () => {
  const [check] = asleep(1, {
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 5, maxRetries: 2, sameRegion: true },
  });
  if (!check) throw new Error('There is no check.');
  const { sessions, runner, clock, kept, root, history } = await setUp([check]);
  runner.outcome = FAILING;
  const [session] = await sessions.trigger([check], options);
  await clock.advance(60_000);
  const over = kept(session?.id ?? '');
  expect(over?.status).toBe('FAILED');
  expect(over?.results.map(({ resultType }) => resultType)).toEqual([
    'ATTEMPT',
    'ATTEMPT',
    'FINAL',
  ]);
  expect(over?.results.map(({ checkResultId }) => checkResultId)).toEqual(
    history.results.map(({ result }) => result.id),
  );
  expect(root.statusOf(check.id)).toMatchObject({ hasFailures: true });
});

test('a session that is cancelled while it waits for a retry is over, and nothing more runs', async () => {
  const [check] = asleep(1, {
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 60, maxRetries: 2, sameRegion: true },
  });
  if (!check) throw new Error('There is no check.');
  const { sessions, runner, clock, kept } = await setUp([check]);
  runner.outcome = FAILING;
  const [session] = await sessions.trigger([check], options);
  await clock.advance(10_000);
  await sessions.cancel(session?.id ?? '');
  await clock.advance(3_600_000);
  expect(kept(session?.id ?? '')).toMatchObject({ status: 'CANCELLED', results: [{}] });
  expect(runner.requests).toHaveLength(1);
});

test('a check that is deleted while its session is under way ends it as cancelled', async () => {
  const checks = asleep(2);
  const { sessions, runner, clock, kept, configuration } = await setUp(checks);
  runner.durationMs = 10_000;
  const made = await sessions.trigger(checks, { ...options, concurrency: 1 });
  await clock.advance(5_000);
  for (const { id } of checks) await configuration.checks.delete(id);
  await clock.advance(60_000);
  expect(made.map(({ id }) => kept(id)?.status)).toEqual(['CANCELLED', 'CANCELLED']);
});

test('after a stop in a wait between attempts and one in a batch, each session ends', async () => {
  const checks = asleep(3, {
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 30, maxRetries: 1, sameRegion: true },
  });
  const first = await setUp(checks);
  first.runner.outcome = FAILING;
  const made = await first.sessions.trigger(checks, { ...options, concurrency: 2 });
  await first.clock.advance(10_000);
  await first.sessions.stop();
  await first.testSessions.stop();
  await first.root.stop();
  const second = await setUp([], first.monitor);
  await second.clock.advance(60_000);
  for (const { id } of made.slice(0, 2)) {
    expect(second.kept(id)).toMatchObject({
      status: 'PASSED',
      results: [{ resultType: 'ATTEMPT' }, { resultType: 'FINAL' }],
    });
  }
  expect(second.kept(made[2]?.id ?? '')).toMatchObject({ status: 'PASSED', results: [{}] });
});

describe('a result that waits behind others for a store that failed', () => {
  async function waiting() {
    const history = new FullHistory();
    const checks = asleep(2);
    const parts = await setUp(checks, { history });
    const { clock, runner, root } = parts;
    runner.durationMs = 5_000;
    root.order(checks[0]?.id ?? '', order('first'), new RecordingFollower());
    await clock.advance(500);
    return { ...parts, history, checks: checks.slice(1) };
  }

  /** The first result fails; the second is there before the first is tried again. */
  async function failOnce({ clock, history }: Awaited<ReturnType<typeof waiting>>) {
    await clock.advance(4_400);
    history.full = true;
    await clock.advance(150);
    history.full = false;
    await clock.advance(550);
  }

  test('is shown by its session, and told to whoever waits, once it is kept', async () => {
    const parts = await waiting();
    const { sessions, clock, history, checks } = parts;
    const [{ id } = { id: '' }] = await sessions.trigger(checks, options);
    const early = sessions.waitFor(id, 30_000);
    await failOnce(parts);
    expect(await sessions.find(id)).toMatchObject({ status: 'PROGRESS', results: [] });
    const late = sessions.waitFor(id, 30_000);
    expect(history.results).toEqual([]);
    await clock.advance(1_000);
    expect(await early).toMatchObject({ status: 'PASSED', results: [{}] });
    expect(await late).toEqual(await early);
    expect(await sessions.waitFor(id, 30_000)).toEqual(await early);
    expect(history.results).toHaveLength(2);
  });

  test('is not there for its test session either, until it is kept', async () => {
    const parts = await waiting();
    const { testSessions, clock, checks } = parts;
    const { id } = await testSessions.trigger(checks, testOptions);
    const early = testSessions.waitFor(id, 30_000);
    await failOnce(parts);
    expect(await testSessions.find(id)).toMatchObject({ status: 'RUNNING' });
    await clock.advance(1_000);
    expect(await early).toMatchObject({ status: 'PASSED' });
  });
});

test('a test session leaves no trace with its checks', async () => {
  const checks = asleep(30);
  const { testSessions, runner, clock, history, root } = await setUp(checks);
  runner.durationMs = 1_000;
  const session = await testSessions.trigger(checks, testOptions);
  const waiting = testSessions.waitFor(session.id, 30_000);
  await clock.advance(500);
  expect(runner.underWay).toBe(20);
  await clock.advance(10_000);
  expect(await waiting).toMatchObject({ status: 'PASSED' });
  expect(new Set(runner.requests.map(({ request }) => request.location))).toEqual(
    new Set(['eu-west-2']),
  );
  expect(history.results).toEqual([]);
  const ofSession = history.ofSessions.testResults.get(session.id)?.values() ?? [];
  expect([...ofSession].map(({ detail }) => detail)).toEqual(checks.map(() => '{}'));
  expect(checks.map(({ id }) => root.statusOf(id))).toEqual(checks.map(() => undefined));
});

import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { TooManySessions } from '#main/sessions/sessions-port.ts';
import {
  MAX_OPEN_TESTS,
  MAX_TEST_CHECKS,
  TestSessions,
  TooManyChecks,
} from '#main/sessions/test-sessions.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { StoreError } from '#main/store/store-error.ts';
import { errorGroupKey, TEST_SESSIONS } from '#shared/error-groups/error-group.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { FakeCheckRuns } from '../../fixtures/fake-check-runs.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { OUTCOMES } from './fixtures.ts';

const options = {
  name: 'Deployment 7',
  runLocation: 'eu-west-2',
  variables: [{ key: 'TOKEN', value: 'secret', locked: false, secret: true }],
  retryStrategy: null,
  metadata: { branchName: 'main' },
};

/** A history that takes its time for each write, or is full. */
class SlowHistory extends MemoryHistory {
  delayMs = 0;
  full = false;
  readonly written: HistoryRecords[] = [];
  readonly #clock: SimulatedClock;

  constructor(clock: SimulatedClock) {
    super();
    this.#clock = clock;
  }

  override async write(facts: HistoryRecords): Promise<void> {
    if (this.full) throw new StoreError('FULL', 'The disk is full.');
    this.written.push(facts);
    if (this.delayMs > 0) {
      await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, this.delayMs));
    }
    await super.write(facts);
  }
}

function setUp() {
  const clock = new SimulatedClock();
  const history = new SlowHistory(clock);
  const runs = new FakeCheckRuns(clock, (facts) => history.write(facts));
  const log = pino({ level: 'silent' });
  const sessions = new TestSessions({ history, runs, clock, log });
  const kept = (id: string) => history.ofSessions.testSession(id);
  return { clock, history, runs, sessions, kept, log };
}

const makeChecks = (count: number) => Array.from({ length: count }, () => makeCheck('URL'));

const statusesOf = (session: StoredTestSession | null | undefined) =>
  session?.results.map(({ resultType, status }) => `${resultType} ${status}`);

describe('a test session', () => {
  test('is kept with everything pending before it is answered', async () => {
    const { sessions, kept } = setUp();
    const [check] = [makeCheck('URL', { name: 'Shop' })];
    const session = await sessions.trigger([check], options);
    expect(session).toMatchObject({
      name: 'Deployment 7',
      status: 'RUNNING',
      runLocation: 'eu-west-2',
      metadata: { branchName: 'main' },
      results: [{ checkId: check.id, name: 'Shop', resultType: 'PENDING', status: 'RUNNING' }],
    });
    expect(kept(session.id)).toEqual(session);
    expect(JSON.stringify(session)).not.toContain('secret');
  });

  test('is in the error group of what failed, and writes why with it', async () => {
    const { sessions, runs, history } = setUp();
    const { id } = await sessions.trigger(makeChecks(2), options);
    const message = 'Timed out after 7 ms';
    runs.runs[0]?.finish({ hasFailures: true, failure: { cause: 'TIMEOUT_TLS', message } });
    runs.runs[1]?.finish({ hasErrors: true, failure: { cause: 'INTERNAL', message } });
    const group = errorGroupKey(TEST_SESSIONS, message).id;
    const [failed, inconclusive] = (await sessions.find(id))?.results ?? [];
    expect([failed?.errorGroupId, inconclusive?.errorGroupId]).toEqual([group, undefined]);
    expect(history.ofErrorGroups.find(group)).toMatchObject({ rawErrorMessage: message });
  });

  test('hands what the caller asked for to runs that do not count for their checks', async () => {
    const { sessions, runs } = setUp();
    const session = await sessions.trigger(makeChecks(1), options);
    const run = runs.runOf(session.results[0]?.id ?? '');
    expect(run.order.overrides).toEqual({
      location: 'eu-west-2',
      retryStrategy: null,
      refreshCache: undefined,
      runSource: 'TRIGGER_RECORD',
      variables: options.variables,
    });
    expect(run.follower.countsForCheck).toBe(false);
  });

  test.each([
    ['passed', 'PASSED'],
    ['degraded', 'PASSED'],
    ['failed', 'FAILED'],
    ['inconclusive', 'FAILED'],
  ] as const)('whose worst result is %s has %s', async (outcome, status) => {
    const { sessions, runs, clock, kept } = setUp();
    const { id } = await sessions.trigger(makeChecks(2), options);
    runs.runs[0]?.finish(OUTCOMES[outcome]);
    expect(await sessions.find(id)).toMatchObject({ status: 'RUNNING' });
    runs.runs[1]?.finish();
    expect(await sessions.find(id)).toMatchObject({ status, stoppedAt: clock.now() });
    expect(kept(id)).toMatchObject({ status });
  });

  test('shows each attempt, and has the details of all its results', async () => {
    const { sessions, runs, history, kept, clock } = setUp();
    const { id, results } = await sessions.trigger(makeChecks(1), options);
    const [run] = runs.runs;
    run?.start();
    run?.settle({ resultType: 'ATTEMPT', ...OUTCOMES.failed });
    await clock.advance(0);
    expect(statusesOf(kept(id))).toEqual(['ATTEMPT FAILED', 'PENDING RUNNING']);
    run?.settle({ attempts: 1 });
    run?.end();
    await clock.advance(0);
    expect(statusesOf(kept(id))).toEqual(['ATTEMPT FAILED', 'FINAL PASSED']);
    for (const result of kept(id)?.results ?? []) {
      const found = await history.findTestResult({ sessionId: id, resultId: result.id });
      expect(found).toMatchObject({ result, detail: '{}' });
    }
    expect(kept(id)?.results[1]?.id).toBe(results[0]?.id);
  });

  test('runs twenty checks at a time', async () => {
    const { sessions, runs, clock } = setUp();
    const { id } = await sessions.trigger(makeChecks(50), options);
    await clock.advance(0);
    for (let done = 0; done < 50; done++) {
      expect(runs.runs.length).toBe(Math.min(50, done + 20));
      runs.runs[done]?.finish();
      await clock.advance(0);
    }
    expect(await sessions.find(id)).toMatchObject({ status: 'PASSED' });
  });

  test.each([
    ['deleted', 'FINAL CANCELLED', 'CANCELLED'],
    ['cancelled', 'FINAL CANCELLED', 'CANCELLED'],
    ['settled', 'FINAL FAILED', 'FAILED'],
  ] as const)('with a run that is %s without a result', async (how, result, status) => {
    const { sessions, runs } = setUp();
    const { id } = await sessions.trigger(makeChecks(2), options);
    runs.runs[0]?.end(how);
    runs.runs[1]?.finish();
    const session = await sessions.find(id);
    expect(statusesOf(session)).toEqual([result, 'FINAL PASSED']);
    expect(session).toMatchObject({ status });
  });

  test('of a check that is gone when its turn comes goes on with the others', async () => {
    const { sessions, runs, clock } = setUp();
    const checks = makeChecks(2);
    runs.unknown.add(checks[0]?.id ?? '');
    const { id } = await sessions.trigger(checks, options);
    runs.runs[0]?.finish(OUTCOMES.failed);
    await clock.advance(0);
    expect(await sessions.find(id)).toMatchObject({ status: 'FAILED' });
  });

  test('that is cancelled gives up what is pending, and is over', async () => {
    const { sessions, runs, kept, clock } = setUp();
    const { id } = await sessions.trigger(makeChecks(30), options);
    await clock.advance(0);
    runs.runs[0]?.finish(OUTCOMES.failed);
    await clock.advance(0);
    const asked = vi.spyOn(runs, 'cancel');
    expect(await sessions.cancel(id)).toBe(true);
    expect(asked).toHaveBeenCalledTimes(20);
    expect(kept(id)).toMatchObject({ status: 'CANCELLED' });
    const statuses = statusesOf(kept(id));
    expect(statuses?.[0]).toBe('FINAL FAILED');
    expect(new Set(statuses?.slice(1))).toEqual(new Set(['FINAL CANCELLED']));
    expect(runs.runs.filter(({ cancelled }) => cancelled)).toHaveLength(20);
    expect(runs.runs[1]?.settle()).toEqual({});
    await clock.advance(0);
    expect(runs.runs).toHaveLength(21);
    expect(await sessions.cancel(id)).toBe(true);
    expect(await sessions.cancel('018f0000-0000-7000-8000-000000000000')).toBe(false);
  });
});

describe('whoever waits', () => {
  test('has the session at its end, which is kept by then', async () => {
    const { sessions, runs, history, clock, kept } = setUp();
    const { id } = await sessions.trigger(makeChecks(1), options);
    const waiting = sessions.waitFor(id, 30_000);
    history.delayMs = 50;
    runs.runs[0]?.finish();
    await clock.advance(100);
    expect(await waiting).toMatchObject({ status: 'PASSED' });
    expect(kept(id)).toMatchObject({ status: 'PASSED' });
  });

  test('and whoever looks, sees an end only when it is kept', async () => {
    const { sessions, runs, history, clock, kept } = setUp();
    const { id } = await sessions.trigger(makeChecks(1), options);
    history.delayMs = 50;
    runs.runs[0]?.finish();
    const seen = sessions.find(id).then((session) => [session?.status, kept(id)?.status]);
    await clock.advance(100);
    expect(await seen).toEqual(['PASSED', 'PASSED']);
  });

  test('finds each result that a session shows', async () => {
    const { sessions, runs, history, clock } = setUp();
    const { id, results } = await sessions.trigger(makeChecks(2), options);
    history.delayMs = 50;
    runs.runs[0]?.finish();
    const seen = sessions.find(id).then(async (session) => {
      const query = { sessionId: id, resultId: results[0]?.id ?? '' };
      return [session?.results[0], (await history.findTestResult(query))?.result];
    });
    await clock.advance(200);
    const [shown, found] = await seen;
    expect(shown).toMatchObject({ resultType: 'FINAL' });
    expect(found).toEqual(shown);
  });

  test('has it as it stands after the time, and at a stop', async () => {
    const { sessions, clock } = setUp();
    const { id } = await sessions.trigger(makeChecks(1), options);
    const waiting = sessions.waitFor(id, 30_000);
    await clock.advance(30_000);
    expect(await waiting).toMatchObject({ status: 'RUNNING' });
    const again = sessions.waitFor(id, 30_000);
    await sessions.stop();
    expect(await again).toMatchObject({ status: 'RUNNING' });
    await expect(sessions.trigger([], options)).rejects.toThrow(StoreError);
    await expect(sessions.cancel(id)).rejects.toThrow(StoreError);
  });
});

describe('what is written', () => {
  const rowsOf = ({ written }: SlowHistory) => written.map(({ testResults = [] }) => testResults);
  const headsOf = ({ written }: SlowHistory) =>
    written.flatMap(({ testSessions = [] }) => testSessions);

  test('for a result is the result alone, however many there are, and the session at its end', async () => {
    const { sessions, runs, history, clock, kept } = setUp();
    const { id } = await sessions.trigger(makeChecks(200), options);
    for (let done = 0; done < 200; done++) {
      runs.runs[done]?.finish();
      await clock.advance(0);
    }
    expect(kept(id)).toMatchObject({ status: 'PASSED' });
    const counts = rowsOf(history).map(({ length }) => length);
    expect(counts.filter((count) => count > 0)).toEqual([200, ...Array(200).fill(1)]);
    expect(headsOf(history).map(({ status }) => status)).toEqual(['RUNNING', 'PASSED']);
  });

  test('for a run that ends without a result is what it changed', async () => {
    const { sessions, runs, history, clock, kept } = setUp();
    const { id } = await sessions.trigger(makeChecks(3), options);
    runs.runs[0]?.end('deleted');
    await clock.advance(0);
    runs.runs[1]?.finish();
    runs.runs[2]?.end('settled');
    await clock.advance(0);
    expect(kept(id)).toMatchObject({ status: 'FAILED' });
    const counts = rowsOf(history).map(({ length }) => length);
    expect(counts.filter((count) => count > 0)).toEqual([3, 1, 1, 1]);
  });
});

test('a store that fails has the end later', async () => {
  const { sessions, runs, history, clock, kept } = setUp();
  const { id } = await sessions.trigger(makeChecks(1), options);
  history.full = true;
  runs.runs[0]?.start();
  runs.runs[0]?.follower.ended('cancelled');
  await clock.advance(3_000);
  expect(await sessions.find(id)).toMatchObject({ status: 'RUNNING' });
  await expect(sessions.cancel(id)).rejects.toThrow('The disk is full.');
  const waiting = sessions.waitFor(id, 30_000);
  await clock.advance(3_000);
  history.full = false;
  await clock.advance(1_000);
  expect(await waiting).toMatchObject({ status: 'CANCELLED' });
  expect(await sessions.waitFor(id, 30_000)).toMatchObject({ status: 'CANCELLED' });
  expect(kept(id)).toMatchObject({ status: 'CANCELLED' });
});

describe('the limits', () => {
  test('are so many checks of one test session', async () => {
    const { sessions } = setUp();
    const check = makeCheck('URL');
    const tooMany = Array.from({ length: MAX_TEST_CHECKS + 1 }, () => check);
    await expect(sessions.trigger(tooMany, options)).rejects.toThrow(TooManyChecks);
    await expect(sessions.trigger(tooMany, options)).rejects.toThrow('1000 checks at most');
    expect((await sessions.trigger(tooMany.slice(1), options)).results).toHaveLength(1_000);
  });

  test('are so many open ones, and more once one is over', async () => {
    const { sessions, runs } = setUp();
    const checks = makeChecks(1);
    const triggers = Array.from({ length: MAX_OPEN_TESTS + 1 }, () =>
      sessions.trigger(checks, options),
    );
    const outcomes = await Promise.allSettled(triggers);
    expect(outcomes.at(-1)).toMatchObject({ reason: expect.any(TooManySessions) });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    runs.runs[0]?.finish();
    await expect(sessions.trigger(checks, options)).resolves.toMatchObject({ status: 'RUNNING' });
  });
});

test('a restart ends what it cut short as cancelled', async () => {
  const killed = setUp();
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) {
    ids.push((await killed.sessions.trigger(makeChecks(2), options)).id);
  }
  killed.runs.runs[0]?.finish();
  await killed.clock.advance(0);
  const { history, clock, runs, log } = killed;
  const sessions = new TestSessions({ history, runs, clock, log });
  await sessions.restore();
  for (const id of ids) expect(await sessions.find(id)).toMatchObject({ status: 'CANCELLED' });
  expect(statusesOf(await sessions.find(ids[0] ?? ''))).toEqual([
    'FINAL PASSED',
    'FINAL CANCELLED',
  ]);
});

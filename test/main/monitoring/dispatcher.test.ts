import { expect, test } from 'vitest';
import { Dispatcher, type RunnerPool } from '#main/monitoring/dispatcher.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { passingRun } from '../../fixtures/passing-run.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

/** A pool whose runs end when the test says so. */
class HeldPool implements RunnerPool {
  readonly name = 'held';
  readonly batches: (readonly RunRequest[])[] = [];
  answer: (results: readonly RunResult[]) => void = () => undefined;
  lose: (runIds: readonly string[], reason: string) => void = () => undefined;
  ended = false;
  closed = false;

  run(requests: readonly RunRequest[]): void {
    this.batches.push(requests);
  }

  onResults(listener: (results: readonly RunResult[]) => void): void {
    this.answer = listener;
  }

  onLost(listener: (runIds: readonly string[], reason: string) => void): void {
    this.lose = listener;
  }

  readonly cancelled: string[] = [];

  cancel(runId: string): void {
    this.cancelled.push(runId);
  }

  async endLongRuns(): Promise<void> {
    this.ended = true;
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

const request = (runId: string): RunRequest => ({
  runId,
  check: makeCheck('URL'),
  location: 'eu-west-1',
  timeoutMs: 30_000,
  deniedRanges: [],
});

const passing = (runId: string) => passingRun({ runId });

function setUp() {
  const clock = new SimulatedClock();
  const pool = new HeldPool();
  const browser = new HeldPool();
  const dispatcher = new Dispatcher({ network: pool, browser }, clock);
  return { clock, pool, browser, dispatcher };
}

test('runs that come together are handed over as one batch and answered one by one', async () => {
  const { clock, pool, dispatcher } = setUp();
  const runs = ['a', 'b', 'c'].map((runId) => dispatcher.run(request(runId)));
  await clock.advance(10);
  expect(pool.batches.map((batch) => batch.map(({ runId }) => runId))).toEqual([['a', 'b', 'c']]);
  pool.answer([passing('b')]);
  expect(await runs[1]).toMatchObject({ runId: 'b', hasErrors: false });
  expect(dispatcher.inFlight).toBe(2);
});

test('the runs of a runner that dies end as our own trouble, the answered ones as they were', async () => {
  const { clock, pool, dispatcher } = setUp();
  const [a, b] = [dispatcher.run(request('a')), dispatcher.run(request('b'))];
  await clock.advance(10);
  pool.answer([passing('a')]);
  pool.lose(['a', 'b'], 'out of memory');
  expect(await a).toMatchObject({ hasErrors: false });
  expect(await b).toMatchObject({
    hasErrors: true,
    hasFailures: false,
    failure: { cause: 'RUNNER_LOST', message: 'The runner ended: out of memory' },
  });
});

test('a runner that never answers loses the run some time after its deadline', async () => {
  const { clock, dispatcher } = setUp();
  const run = dispatcher.run(request('a'));
  await clock.advance(149_000);
  expect(dispatcher.inFlight).toBe(1);
  await clock.advance(3_000);
  expect(await run).toMatchObject({ failure: { cause: 'RUNNER_LOST' }, hasErrors: true });
  expect(dispatcher.inFlight).toBe(0);
});

test('a result that comes after its run was given up is dropped', async () => {
  const { clock, pool, dispatcher } = setUp();
  const run = dispatcher.run(request('a'));
  await clock.advance(200_000);
  await run;
  pool.answer([passing('a')]);
  expect(dispatcher.inFlight).toBe(0);
});

test.each(['BROWSER', 'MULTI_STEP', 'PLAYWRIGHT'] as const)(
  '%s runs go to the pool of browsers, also of a batch with others',
  async (type) => {
    const { clock, pool, browser, dispatcher } = setUp();
    const slow = dispatcher.run({ ...request('slow'), check: makeCheck(type) as RunnableCheck });
    const quick = dispatcher.run(request('quick'));
    await clock.advance(10);
    pool.answer([passing('quick')]);
    expect(await quick).toMatchObject({ runId: 'quick' });
    browser.lose(['slow'], 'It hangs.');
    expect(await slow).toMatchObject({ runId: 'slow', failure: { cause: 'RUNNER_LOST' } });
    await dispatcher.endLongRuns();
    await dispatcher.close();
    expect([browser.ended, browser.closed, pool.closed]).toEqual([true, true, true]);
  },
);

test('a run that nobody wants is cancelled where it is made, after it was handed over', async () => {
  const { clock, pool, browser, dispatcher } = setUp();
  const check = makeCheck('PLAYWRIGHT') as RunnableCheck;
  const run = dispatcher.run({ ...request('slow'), check });
  dispatcher.cancel('slow');
  dispatcher.cancel('unknown');
  expect(browser.cancelled).toEqual([]);
  await clock.advance(10);
  expect([browser.batches.length, browser.cancelled, pool.cancelled]).toEqual([1, ['slow'], []]);
  browser.answer([passing('slow')]);
  await run;
});

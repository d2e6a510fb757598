import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Dispatcher, type RunnerPool } from '#main/monitoring/dispatcher.ts';
import { EmbeddedPool } from '#main/monitoring/embedded-pool.ts';
import type { Clock } from '#shared/clock.ts';
import type { BrowserRunnerData, RunRequest } from '#shared/runs/protocol.ts';
import { runsFolder } from '../../fixtures/cages.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { standIn } from '../../fixtures/script-host-programs.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const PROGRAM = new URL('../../fixtures/programs/runner-that-loops.ts', import.meta.url);

/** Both kinds of runs in one pool. */
const dispatcherOf = (pool: RunnerPool, clock: Clock) =>
  new Dispatcher({ network: pool, browser: pool }, clock);

test('a thread that loops is replaced: its runs end as our own trouble, later ones take place', async () => {
  const clock = new SimulatedClock();
  const log = pino({ level: 'silent' });
  const parts = { scriptLauncher: [], clock, log, threads: 1, program: PROGRAM };
  const dispatcher = dispatcherOf(new EmbeddedPool(parts), clock);
  const run = (location: string) =>
    dispatcher.run({
      ...({ runId: location, timeoutMs: 30_000, deniedRanges: [] } satisfies Partial<RunRequest>),
      ...{ check: makeCheck('URL'), location },
    });
  const [answered, looping, innocent] = ['answers', 'loops', 'waits'].map(run);
  await clock.advance(10);
  // It is answered just before the thread loops, so that the thread was heard of by now.
  expect(await answered).toMatchObject({ hasErrors: false });
  await clock.advance(20_000);
  for (const lost of [looping, innocent]) {
    expect(await lost).toMatchObject({
      ...{ hasErrors: true, hasFailures: false },
      failure: { cause: 'RUNNER_LOST' },
    });
  }
  const later = run('answers');
  await clock.advance(10);
  expect(await later).toMatchObject({ hasErrors: false, hasFailures: false });
  await dispatcher.close();
});

test('16 runs at once are all made in one thread, the next one in another', async () => {
  const clock = new SimulatedClock();
  const log = pino({ level: 'silent' });
  const pool = new EmbeddedPool({ scriptLauncher: [], clock, log, threads: 2, program: PROGRAM });
  const dispatcher = dispatcherOf(pool, clock);
  let runs = 0;
  const run = async (location: string) => {
    const running = dispatcher.run({
      ...({
        runId: `${runs++}`,
        timeoutMs: 30_000,
        deniedRanges: [],
      } satisfies Partial<RunRequest>),
      ...{ check: makeCheck('URL'), location },
    });
    await clock.advance(10);
    return running;
  };
  const threadOf = async () => (await run('answers')).responseTime;
  const first = await threadOf();
  expect(await threadOf()).toBe(first);
  for (let n = 0; n < 15; n++) void run('waits');
  await clock.advance(10);
  expect(await threadOf()).toBe(first);
  void run('waits');
  await clock.advance(10);
  expect(await threadOf()).not.toBe(first);
  await dispatcher.close();
});

test.skipIf(process.platform === 'win32')(
  'scripts run in hosts that start with the launcher',
  async () => {
    const launcher = standIn(`echo started > "$0.kept"`, `exec "$@"`);
    onTestFinished(launcher.remove);
    const clock = new SimulatedClock();
    const log = pino({ level: 'silent' });
    const parts = { scriptLauncher: [launcher.path], clock, log, threads: 1 };
    const dispatcher = dispatcherOf(new EmbeddedPool(parts), clock);
    const setup = [{ name: 'setup script', code: 'throw new Error("no request")' }];
    const scope = {
      ...{ variables: {}, builtIns: {}, snippets: {}, runtimeId: '2025.04' },
      ...{ setup, teardown: [] },
    };
    const check = makeCheck('API');
    const running = dispatcher.run({
      ...{ runId: 'a run', check, scope, location: 'here', timeoutMs: 30_000, deniedRanges: [] },
    });
    await clock.advance(10);
    expect(await running).toMatchObject({
      failure: { message: expect.stringContaining('no request') },
    });
    expect(await readFile(`${launcher.path}.kept`, 'utf8')).toBe('started\n');
    await dispatcher.close();
  },
);

test('the pool of browsers removes what a crash left when it starts, and its own folder when it stops', async () => {
  const folder = runsFolder();
  await mkdir(join(folder, 'tOld', 'rOld'), { recursive: true });
  const browser: BrowserRunnerData = {
    ...{ runsFolder: folder, artifactsFolder: folder, cacheFolder: folder, bwrap: null },
    ...{ chromium: { setting: null, cacheFolder: folder }, requireCage: false },
    ...{
      browsersAtOnce: 1,
      warmBrowsers: false,
      memoryMb: 500,
      ownPorts: [],
      allowedFolders: [],
      bundlesFolder: folder,
    },
  };
  const parts = { scriptLauncher: [], clock: new SimulatedClock(), log: pino({ level: 'silent' }) };
  const pool = new EmbeddedPool({ ...parts, browser, threads: 1 });
  await vi.waitFor(async () => expect(existsSync(folder)).toBe(false), { timeout: 60_000 });
  await pool.endLongRuns();
  await pool.close();
  expect(existsSync(folder)).toBe(false);
});

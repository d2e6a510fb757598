import pino from 'pino';
import { expect, test } from 'vitest';
import { Dispatcher } from '#main/dispatch/dispatcher.ts';
import { embeddedPool } from '#main/dispatch/embedded-pool.ts';
import type { RunRequest } from '#shared/run/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const PROGRAM = new URL('../../fixtures/programs/runner-that-loops.ts', import.meta.url);

test('a thread that loops is replaced: its runs end as our own trouble, later ones take place', async () => {
  const clock = new SimulatedClock();
  const log = pino({ level: 'silent' });
  const parts = { scriptLauncher: [], clock, log, threads: 1, program: PROGRAM };
  const dispatcher = new Dispatcher(embeddedPool(parts), clock);
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

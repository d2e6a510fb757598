import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cageFailure } from '#workers/browser/cage/cage-failure.ts';
import type { CagedEnd } from '#workers/browser/cage/caged.ts';
import { cagesOf, processesIn, runCaged, runsFolder, WAYS } from '../../../fixtures/cages.ts';

const STAYS = 'require("node:fs").writeSync(3, "ready\\n"); setInterval(() => {}, 1_000)';

test('nothing runs without bubblewrap where it is required', async () => {
  const cages = cagesOf({ requireCage: true });
  const outcome = await cages.use(async () => expect.unreachable());
  expect(outcome).toEqual({
    refused: {
      cause: 'UNSUPPORTED',
      message: expect.stringContaining('set WATCHPOST_BROWSER_SANDBOX to prefer'),
    },
    waitedMs: 0,
  });
});

test('the folder of a run is new, short, open to nobody else, and gone after it', async () => {
  const folder = runsFolder();
  const cages = cagesOf({ runsFolder: folder });
  const used = await cages.use(async (place) => {
    expect(await readdir(place.folder)).toEqual(['t']);
    expect(place.folder.length - folder.length).toBeLessThan(20);
    const modes = [place.folder, dirname(place.folder), folder].map((it) => statSync(it).mode);
    if (process.platform !== 'win32')
      expect(modes.map((it) => it & 0o777)).toEqual([0o700, 0o700, 0o700]);
    return { folder: place.folder };
  });
  expect(used).toMatchObject({ folder: expect.stringContaining(folder) });
  expect('folder' in used && existsSync(used.folder)).toBe(false);
  await expect(cages.use(async () => Promise.reject(new Error('our own')))).rejects.toThrow(
    'our own',
  );
  expect(await readdir(dirname('folder' in used ? used.folder : ''))).toEqual([]);
});

test('runs that come at once wait their turn, and the wait is told', async () => {
  const cages = cagesOf({ browsersAtOnce: 1 });
  const order: string[] = [];
  const code = 'setTimeout(() => {}, 200)';
  const runs = ['a', 'b'].map((name) =>
    cages.use(async ({ folder, waitedMs }) => {
      order.push(`${name} begins`);
      const options = { args: ['-e', code], env: {}, readable: [], memoryMb: 500, maxProcesses: 9 };
      await cages.start({
        ...{ ...options, program: process.execPath, folder, deadlineMs: 9_000 },
        ...{ onLine: () => {}, onLog: () => {} },
      }).ended;
      order.push(`${name} ends`);
      return waitedMs;
    }),
  );
  const [first, second] = await Promise.all(runs);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  expect(first).toBeLessThan(100);
  expect(second).toBeGreaterThanOrEqual(200);
});

describe.each(WAYS)('a stop, with cages that are %s', (_, bwrap) => {
  test('ends runs under way and those that wait, and leaves no process and no folder', async () => {
    const folder = runsFolder();
    const cages = cagesOf({ runsFolder: folder, bwrap, browsersAtOnce: 1 });
    const ready = Promise.withResolvers<void>();
    const running = runCaged(cages, STAYS, { onLine: () => ready.resolve() });
    const waiting = runCaged(cages, STAYS);
    const ends = Promise.allSettled([running, waiting]);
    await ready.promise;
    await cages.close(0);
    expect(await ends).toMatchObject([
      { status: 'rejected', reason: { message: 'The appliance stopped.' } },
      { status: 'rejected', reason: { message: 'The appliance stopped.' } },
    ]);
    expect(await processesIn(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  test('lets a run end that ends in a moment', async () => {
    const cages = cagesOf({ bwrap });
    const ready = Promise.withResolvers<void>();
    const code =
      'require("node:fs").writeSync(3, "ready\\n"); setTimeout(() => process.exit(3), 200)';
    const running = runCaged(cages, code, { onLine: () => ready.resolve() });
    await ready.promise;
    await cages.close();
    expect(await running).toMatchObject({ why: 'exited', code: 3 });
  });
});

describe('why a run failed that was killed', () => {
  const end: CagedEnd = { why: 'exited', code: 0, signal: null, peakBytes: 0 };
  const limits = { deadlineMs: 240_000, memoryMb: 2_764, maxProcesses: 300 };
  const timeout = 'Your check run has reached the maximum run time of 240000 ms.';
  test.each<[Partial<CagedEnd>, string, string]>([
    [{ why: 'deadline' }, 'TIMEOUT_RUN', timeout],
    [{ why: 'memory' }, 'OUT_OF_MEMORY', 'killed: out of memory (limit 2764 MB)'],
    [{ why: 'processes' }, 'TOO_MANY_PROCESSES', 'killed: too many processes (limit 300)'],
    [{ why: 'disk' }, 'TOO_LARGE', 'killed: too many or too large files (limit 2048 MB)'],
    [{ why: 'output' }, 'TOO_LARGE', 'killed: it reported more than a run may'],
    [{ why: 'killed' }, 'RUNNER_LOST', 'The run was broken off.'],
    [{ why: 'not-started' }, 'INTERNAL', 'The program of the run could not be started.'],
    [{ code: null, signal: 'SIGKILL' }, 'INTERNAL', 'The system killed the run'],
    [{ code: 137 }, 'INTERNAL', 'The system killed the run'],
  ])('%j', (part, cause, message) => {
    const failure = cageFailure({ ...end, ...part }, limits);
    expect(failure).toMatchObject({ cause, message: expect.stringContaining(message) });
  });

  test('none of one that ended by itself', () => {
    expect(cageFailure({ ...end, code: 1 }, limits)).toBeNull();
  });
});

test('a program that cannot be started says so', async () => {
  const { why } = await runCaged(cagesOf(), '', { program: '/nowhere/node' });
  expect(why).toBe('not-started');
});

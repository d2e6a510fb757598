import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Cages } from '#workers/browser/cage/cages.ts';
import { cagesOf, processesIn, runCaged, runsFolder, WAYS } from '../../../fixtures/cages.ts';

const OWNER = fileURLToPath(new URL('../../../fixtures/programs/cage-owner.ts', import.meta.url));

/** Waits until no process of a folder is left, as whoever kills them may need a moment. */
const untilNoneIn = (folder: string) =>
  vi.waitFor(async () => expect(await processesIn(folder)).toEqual([]), {
    timeout: 60_000,
    interval: 20,
  });

/** Starts an appliance with a run under way, which has a process that left its parents. */
async function startOwner(folder: string, bwrap: string | null) {
  const args = [OWNER, folder, ...(bwrap === null ? [] : [bwrap])];
  const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void owner.kill('SIGKILL'));
  await once(owner.stdout, 'data');
  expect((await processesIn(folder)).length).toBeGreaterThanOrEqual(2);
  return owner;
}

describe.each(WAYS)('of runs in a cage that is %s', (_, bwrap) => {
  test('nothing is left when the appliance is killed, and its next start removes their folders', async () => {
    const folder = runsFolder();
    const owner = await startOwner(folder, bwrap);
    owner.kill('SIGKILL');
    await untilNoneIn(folder);
    expect(await readdir(folder)).toHaveLength(1);
    const next = new Cages({ runsFolder: folder, bwrap, requireCage: false, browsersAtOnce: 1 });
    await next.reap();
    expect(existsSync(folder)).toBe(false);
  });

  test('nothing is left when their thread is ended', async () => {
    const folder = runsFolder();
    const worker = new Worker(OWNER, { workerData: { runsFolder: folder, bwrap } });
    await once(worker, 'message');
    expect((await processesIn(folder)).length).toBeGreaterThanOrEqual(2);
    await worker.terminate();
    await untilNoneIn(folder);
  });
});

/** Does as bubblewrap does while it makes a cage: what it starts would go on without it. */
async function slowBubblewrap(): Promise<string> {
  const path = join(runsFolder(), 'bwrap');
  const code = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nsetsid "$@" &\nwait\n';
  await writeFile(path, code, { mode: 0o755 });
  return path;
}

test('nothing is left when the appliance is killed before a cage is made', async () => {
  const folder = runsFolder();
  const owner = await startOwner(folder, await slowBubblewrap());
  owner.kill('SIGKILL');
  await untilNoneIn(folder);
});

describe('a start', () => {
  test('ends what a crash left running, and nothing of another appliance', async () => {
    const [folder, others] = [runsFolder(), runsFolder()];
    const left = spawn('sleep', ['60'], { env: { WATCHPOST_RUN: `${folder}/t1/r1/` } });
    const other = spawn('sleep', ['60'], { env: { WATCHPOST_RUN: `${others}/t1/r1/` } });
    onTestFinished(() => void other.kill('SIGKILL'));
    const ended = once(left, 'exit');
    await mkdir(join(folder, 't1', 'r1'), { recursive: true });
    await writeFile(join(folder, 't1', 'r1', 'spec.ts'), '');
    await cagesOf({ runsFolder: folder }).reap();
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(existsSync(folder)).toBe(false);
    expect(await processesIn(others)).toEqual([other.pid]);
  });

  test('touches no run of its own', async () => {
    const folder = runsFolder();
    const cages = cagesOf({ runsFolder: folder });
    const run = runCaged(cages, 'setTimeout(() => console.log("went on"), 300)');
    await cages.reap();
    expect(await run).toMatchObject({ why: 'exited', log: 'went on\n' });
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'nothing runs in a folder that somebody else made before (needs root)',
  async () => {
    const folder = runsFolder();
    const { chown } = await import('node:fs/promises');
    await chown(folder, 65_534, 65_534);
    await expect(runCaged(cagesOf({ runsFolder: folder }), '')).rejects.toThrow(
      `The folder ${folder} belongs to somebody else: remove it.`,
    );
  },
);

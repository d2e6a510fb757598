import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { holderOf, writeInstanceFile } from '#main/platform/instance-file.ts';
import { temporaryFolder } from '../../fixtures/running-appliance.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const RUN = { url: 'http://127.0.0.1:8440', adminToken: 'token' };
const needs = { clock: new SimulatedClock(), log: pino({ level: 'silent' }) };
const PATIENCE = { timeout: 60_000 };

async function temporary(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

test('the run file tells the process, its address and the token, until it is removed', async () => {
  const folder = await temporary();
  const run = await writeInstanceFile(folder, RUN, needs);
  const written = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
  expect(written).toEqual({ pid: process.pid, ...RUN });
  await run.remove();
  expect(await readdir(folder)).toEqual([]);
});

const failure = (code: string) => Object.assign(new Error('the disk fails'), { code });

/** A disk that fails in these ways, one after the other, and then takes what is written. */
function failingDisk(...codes: string[]) {
  return async (path: string, text: string) => {
    const code = codes.shift();
    if (code !== undefined) throw failure(code);
    await writeFile(path, text);
  };
}

test('while the disk is full or fails it is tried again, until it is written or removed', async () => {
  const folder = await temporary();
  const clock = new SimulatedClock();
  const disk = failingDisk('ENOSPC', 'EDQUOT', 'EIO');
  const run = await writeInstanceFile(folder, RUN, { ...needs, clock, writeFile: disk });
  await clock.advance(20_000);
  expect(await readdir(folder)).toEqual([]);
  await clock.advance(10_000);
  await vi.waitUntil(async () => (await readdir(folder)).includes('run.json'), PATIENCE);
  await run.remove();

  const writeFile = failingDisk('ENOSPC');
  const removed = await writeInstanceFile(folder, RUN, { ...needs, clock, writeFile });
  await removed.remove();
  await clock.advance(60_000);
  expect(await readdir(folder)).toEqual([]);
});

test('what no room on the disk mends is said at once', async () => {
  const folder = await temporary();
  await expect(writeInstanceFile(join(folder, 'missing'), RUN, needs)).rejects.toThrow('ENOENT');
  await mkdir(join(folder, 'run.json'));
  await expect(writeInstanceFile(folder, RUN, needs)).rejects.toThrow('EISDIR');
});

test('where it comes later it is said once, and not tried again', async () => {
  const folder = await temporary();
  const clock = new SimulatedClock();
  const said: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void said.push(line) });
  const writeFile = failingDisk('ENOSPC', 'EACCES');
  const run = await writeInstanceFile(folder, RUN, { clock, log, writeFile });
  await clock.advance(60_000);
  expect(said).toEqual([expect.stringContaining('`watchpost keys` will not work')]);
  await run.remove();
  expect(await readdir(folder)).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'the run file, which holds a token, is for its owner only',
  async () => {
    const folder = await temporary();
    const run = await writeInstanceFile(folder, RUN, needs);
    expect(((await stat(join(folder, 'run.json'))).mode & 0o777).toString(8)).toBe('600');
    await run.remove();
  },
);

test('who runs on a folder is told by the run file, where that process is alive', async () => {
  const folder = await temporary();
  expect(await holderOf(folder)).toBeNull();
  const run = await writeInstanceFile(folder, RUN, needs);
  expect(await holderOf(folder)).toBe(`process ${process.pid}, which answers at ${RUN.url}`);
  await run.remove();
  for (const left of ['', '{}', JSON.stringify({ pid: 2 ** 30, ...RUN })]) {
    await writeFile(join(folder, 'run.json'), left);
    expect(await holderOf(folder)).toBeNull();
  }
});

import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { announceRun } from '#main/run-file.ts';
import { temporaryFolder } from '../fixtures/running-appliance.ts';
import { SimulatedClock } from '../fixtures/simulated-clock.ts';

const RUN = { url: 'http://127.0.0.1:8440', adminToken: 'token' };
const needs = { clock: new SimulatedClock(), log: pino({ level: 'silent' }) };
const PATIENCE = { timeout: 10_000 };

async function temporary(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

test('the run file tells the process, its address and the token, until it is removed', async () => {
  const folder = await temporary();
  const run = await announceRun(folder, RUN, needs);
  const written = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
  expect(written).toEqual({ pid: process.pid, ...RUN });
  await run.remove();
  expect(await readdir(folder)).toEqual([]);
});

test('where it cannot be written it is tried again, until it is removed', async () => {
  const folder = join(await temporary(), 'missing');
  const run = await announceRun(folder, RUN, needs);
  await needs.clock.advance(10_000);
  await mkdir(folder);
  await vi.waitUntil(async () => {
    await needs.clock.advance(10_000);
    return (await readdir(folder)).includes('run.json');
  }, PATIENCE);
  await run.remove();
  await needs.clock.advance(60_000);
  expect(await readdir(folder)).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runsFolderOf } from '#main/monitoring/browser-runner-data.ts';
import { chromiumOfMachine } from '../fixtures/browser.ts';
import { processesNaming } from '../fixtures/named-processes.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { completion, create, runNow, trigger } from '../fixtures/runs-over-api.ts';
import { openShop } from '../fixtures/shop.ts';

/** How many runs: of 100, 20 are killed half-way, and five with the whole appliance. */
const RUNS = Number(process.env.WATCHPOST_BROWSER_RUNS ?? 6);
const KILLED = Math.ceil(RUNS / 5);
const KILLED_APPLIANCES = Math.ceil(RUNS / 20);

/** A machine that does much besides takes its time. */
const SOON = { timeout: 20_000 };

const QUICK = `import { test, expect } from '@playwright/test';
test('a page', async ({ page }) => {
  await page.goto(process.env.SHOP_URL + '/login');
  await expect(page.getByRole('heading')).toHaveText('Log in');
});`;
const HALF_WAY = `import { test } from '@playwright/test';
test('a page that never comes', async ({ page }) => {
  await page.goto(process.env.SHOP_URL + '/login');
  await page.goto(process.env.SHOP_URL + '/wait');
});`;

test.skipIf(process.platform !== 'linux')(
  `of ${RUNS} runs, some of them killed, no process and no folder is left`,
  { timeout: 60_000 + RUNS * 15_000 },
  async () => {
    const shop = await openShop({ password: '' });
    const folder = await temporaryFolder();
    const { path: chromium } = await chromiumOfMachine();
    const start = () =>
      startProcess({ dataDir: folder.path, env: { WATCHPOST_CHROMIUM: chromium } });
    const runs = runsFolderOf(folder.path);
    let appliance = await start();
    onTestFinished(async () => {
      await appliance.kill();
      shop.close();
      await folder.remove();
    });
    const check = (script: string, frequency = 1_440) =>
      create(appliance, '/v1/checks/browser', {
        name: 'Check',
        script,
        frequency,
        environmentVariables: [{ key: 'SHOP_URL', value: shop.url }],
      });
    /** Starts a run, and answers once its page waits. */
    const halfWay = async () => {
      const id = await check(HALF_WAY);
      const arrived = shop.nextWaiting();
      const session = await trigger(appliance, id);
      await arrived;
      return { id, session };
    };

    // A check has one run at a time; three keep two processors busy.
    const quick = await Promise.all([QUICK, QUICK, QUICK].map((script) => check(script)));
    const passing = (RUNS - KILLED - KILLED_APPLIANCES) / quick.length;
    const runOften = async (id: string) => {
      for (let n = 0; n < passing; n++) {
        expect((await runNow(appliance, id)).status).toBe('PASSED');
      }
    };
    await Promise.all(quick.map(runOften));

    for (let n = 0; n < KILLED; n++) {
      const { id, session } = await halfWay();
      await killOne(n, appliance, id, runs);
      shop.release();
      await completion(appliance, session);
      await expect.poll(() => processesOf(runs), SOON).toEqual([]);
      await expect.poll(() => foldersOfRuns(runs), SOON).toEqual([]);
    }

    for (let n = 0; n < KILLED_APPLIANCES; n++) {
      // Its browser and its process stand by for a next run.
      const often = await check(QUICK, 4);
      for (let run = 0; run < 2; run++) {
        expect((await runNow(appliance, often)).status).toBe('PASSED');
      }
      expect(processesOf(runs)).not.toEqual([]);
      await halfWay();
      expect(processesOf(runs)).not.toEqual([]);
      await appliance.kill();
      await expect.poll(() => processesOf(runs), SOON).toEqual([]);
      // The next start takes the session up again.
      shop.release();
      appliance = await start();
      expect((await appliance.call('DELETE', `/v1/checks/${often}`)).status).toBe(204);
      expect((await runNow(appliance, quick[0] ?? '')).status).toBe('PASSED');
      await expect.poll(() => foldersOfRuns(runs), SOON).toEqual([]);
    }

    expect(await appliance.stop()).toBe(0);
    expect(processesNaming(runs)).toEqual([]);
    expect(await namesIn(runs)).toEqual([]);
  },
);

/** By turns: the check is deleted, or one of the processes of its run is killed. */
async function killOne(n: number, appliance: RunningAppliance, id: string, runs: string) {
  if (n % 2 === 0) {
    expect((await appliance.call('DELETE', `/v1/checks/${id}`)).status).toBe(204);
    return;
  }
  const processes = processesOf(runs);
  const pid = processes[n % processes.length];
  if (pid === undefined) throw new Error('Nothing runs.');
  process.kill(pid, 'SIGKILL');
}

/** Those of runs: the guard, which ends them with the appliance, lives as long as that. */
function processesOf(runs: string): number[] {
  return processesNaming(`${runs}/`).filter((pid) => !isGuard(pid));
}

function isGuard(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('watchpost-guard');
  } catch {
    // It has ended since.
    return true;
  }
}

/** The folders of runs, which lie in one of the thread that made them. */
async function foldersOfRuns(runs: string): Promise<string[]> {
  const threads = await namesIn(runs);
  return (await Promise.all(threads.map((name) => namesIn(join(runs, name))))).flat();
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

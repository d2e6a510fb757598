import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { dailyChecks, fillFolder } from './filled-folder.ts';
import { askProbe, probed } from './measure.ts';
import { memoryOf } from './process-tree.ts';

const STARTS = 3;
const READS = 10;

/**
 * What an appliance costs that does nothing: without checks, and with `checks` that run once a day. Each is started
 * three times, and looked at `seconds` after it was ready. Times are medians.
 */
export async function footprint(checks = 10_000, seconds = 20): Promise<object> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  try {
    // The first start makes the folder, and the code that later ones find compiled.
    await lookAt(dataDir, folder.path, 1);
    const empty = await lookAtSeveral(dataDir, folder.path, seconds);
    await fillFolder(dataDir, dailyChecks(checks), Date.now());
    const idle = await lookAtSeveral(dataDir, folder.path, seconds);
    return { bench: 'footprint', checks, empty, idle };
  } finally {
    await folder.remove();
  }
}

type Look = Awaited<ReturnType<typeof lookAt>>;

async function lookAtSeveral(dataDir: string, folder: string, seconds: number): Promise<Look> {
  const looks: Look[] = [];
  for (let n = 0; n < STARTS; n++) looks.push(await lookAt(dataDir, folder, seconds));
  const names = Object.keys(looks[0] as Look) as (keyof Look)[];
  const median = (name: keyof Look) =>
    Math.round(looks.map((look) => look[name]).toSorted((a, b) => a - b)[1] ?? Number.NaN);
  return Object.fromEntries(names.map((name) => [name, median(name)])) as Look;
}

async function lookAt(dataDir: string, folder: string, seconds: number) {
  const probeFile = join(folder, 'probe.json');
  const appliance = await startProcess(probed({ dataDir }, probeFile));
  try {
    await wait(seconds * 1_000);
    const memory = memoryOf(appliance.process.pid ?? 0);
    const first = await askProbe(appliance, probeFile, () => readStatuses(appliance, 1));
    const reads = await askProbe(appliance, probeFile, () => readStatuses(appliance, READS));
    return {
      readyAfterMs: appliance.readyAfterMs,
      ...memory,
      firstStatusesMainThreadMs: first.mainThreadCpuMs,
      statusesMainThreadMs: reads.mainThreadCpuMs / READS,
    };
  } finally {
    await appliance.stop();
  }
}

async function readStatuses(appliance: RunningAppliance, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const response = await appliance.call('GET', '/v1/check-statuses');
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  }
}

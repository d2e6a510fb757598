import { once } from 'node:events';
import { join } from 'node:path';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { nextSlot, scheduleOf } from '#shared/checks/schedule.ts';
import { makeCheck } from '../fixtures/checks.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { fillFolder } from './filled-folder.ts';
import { askProbe, inTurns, probed, spreadOf, startTarget } from './measure.ts';
import { cpuMsOf } from './process-tree.ts';

const EVERY_TEN_MINUTES = 10;
const HOUR_MS = 3_600_000;
/** What was missed is written, and the memory of the start is given back. */
const SETTLE_MS = 20_000;

/**
 * Many checks, each every ten minutes, in an appliance that was stopped for three hours: its start, up to the answer of
 * all statuses, how late runs begin for so many seconds, its stop, and a start right after it.
 */
export async function large(checks = 100_000, seconds = 40): Promise<object> {
  const folder = await temporaryFolder();
  const target = await startTarget();
  const dataDir = join(folder.path, 'data');
  const probeFile = join(folder.path, 'probe.json');
  const begin = () => startProcess(probed({ dataDir }, probeFile));
  try {
    // The first start makes the folder, and the code that later ones find compiled.
    await (await begin()).stop();
    const all = Array.from({ length: checks }, (_, n) => checkOf(n, target.port));
    await fillFolder(dataDir, all, Date.now() - 3 * HOUR_MS);
    const afterHours = await look(begin, async (appliance) => {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      return measure(appliance, probeFile, all, seconds);
    });
    const atOnce = await look(begin, async () => ({}));
    return { bench: 'large', checks, afterHours, atOnce };
  } finally {
    target.stop();
    await folder.remove();
  }
}

function checkOf(n: number, port: number): RunnableCheck {
  const assertions = [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }];
  const request = { method: 'GET', url: `http://127.0.0.1:${port}/${n}`, assertions };
  const members = { name: `check ${n}`, frequency: EVERY_TEN_MINUTES, tags: [`tag ${n % 20}`] };
  return makeCheck('API', { ...members, request } as never);
}

/** Times in ms, from the start of the process and from SIGTERM. */
async function look(
  begin: () => Promise<RunningAppliance>,
  work: (appliance: RunningAppliance) => Promise<object>,
) {
  const startedAt = performance.now();
  const appliance = await begin();
  try {
    const statuses = await appliance.call('GET', '/v1/check-statuses');
    await statuses.arrayBuffer();
    const answeredAfterMs = performance.now() - startedAt;
    const startCpuMs = cpuMsOf(appliance.process.pid ?? 0);
    const found = await work(appliance);
    const stoppedAt = performance.now();
    appliance.process.kill('SIGTERM');
    await once(appliance.process, 'exit');
    const stopMs = performance.now() - stoppedAt;
    const { readyAfterMs } = appliance;
    return { readyAfterMs, answeredAfterMs, startCpuMs, ...found, stopMs };
  } finally {
    await appliance.kill();
  }
}

async function measure(
  appliance: RunningAppliance,
  probeFile: string,
  checks: readonly RunnableCheck[],
  seconds: number,
) {
  const from = Date.now();
  const probe = await askProbe(
    appliance,
    probeFile,
    () => new Promise((resolve) => setTimeout(resolve, seconds * 1_000)),
  );
  const to = Date.now();
  // The last runs of the window are still being stored.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const due = checks.filter((check) => nextSlot(scheduleOf(check), from) < to);
  const late = await inTurns(due, 20, (check) => latenessOf(appliance, check, from));
  const ran = late.filter((one) => one !== null);
  return { due: due.length, ran: ran.length, latenessMs: spreadOf(ran), ...probe };
}

/** How late the run of the first slot after a time began; null where there is none. */
async function latenessOf(appliance: RunningAppliance, check: RunnableCheck, from: number) {
  const slot = nextSlot(scheduleOf(check), from);
  const query = `limit=1&from=${from}&fields=startedAt`;
  const answer = await appliance.call('GET', `/v2/check-results/${check.id}?${query}`);
  const { entries } = (await answer.json()) as { entries: { startedAt: string }[] };
  return entries[0] ? Date.parse(entries[0].startedAt) - slot : null;
}

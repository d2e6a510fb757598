import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunningAppliance } from '../fixtures/running-appliance.ts';
import { brief, startBench } from './measure.ts';

const SERVICES = 200;
const CARDS = 10;
const INCIDENTS = 1_000;
const DAY_MS = 86_400_000;
const CHANGE_MS = 100;

const run = promisify(execFile);
const READERS = fileURLToPath(new URL('./readers.ts', import.meta.url));

/**
 * A page of 200 services and 1,000 incidents of 90 days, beside URL checks at 10 s: how late these start when
 * nobody reads it, when it is read as fast as it is sent, and when it changes ten times a second meanwhile.
 */
export async function statusPage(checks = 200, seconds = 20): Promise<object> {
  await using bench = await startBench('url');
  await fillPage(bench.appliance);
  await bench.growTo(checks);
  const address = `${bench.appliance.url}/status/bench`;
  const read = () => readers(address, seconds);
  const unread = await bench.measure(seconds);
  const [held, whileHeld] = await Promise.all([read(), bench.measure(seconds)]);
  const stop = new AbortController();
  const changing = changeOften(bench.appliance, stop.signal);
  const [changed, whileChanged] = await Promise.all([read(), bench.measure(seconds)]);
  stop.abort();
  const changes = await changing;
  return {
    bench: 'status-page',
    services: SERVICES,
    incidents: INCIDENTS,
    unread: { runs: brief(unread) },
    held: { ...held, runs: brief(whileHeld) },
    changing: { changesPerSecond: changes / seconds, ...changed, runs: brief(whileChanged) },
  };
}

async function readers(address: string, seconds: number): Promise<object> {
  const { stdout } = await run(process.execPath, [READERS, address, String(seconds)]);
  return JSON.parse(stdout) as object;
}

async function fillPage(appliance: RunningAppliance): Promise<void> {
  const create = async (path: string, body: object) => {
    const response = await appliance.call('POST', `/v1/status-pages${path}`, body);
    if (!response.ok) throw new Error(`Not created: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  };
  const ids: string[] = [];
  for (let n = 0; n < SERVICES; n++) ids.push(await create('/services', { name: `Service ${n}` }));
  const perCard = SERVICES / CARDS;
  const cards = Array.from({ length: CARDS }, (_, n) => ({
    name: `Card ${n}`,
    services: ids.slice(n * perCard, (n + 1) * perCard).map((id) => ({ id })),
  }));
  await create('', { name: 'Bench', url: 'bench', cards });
  for (let n = 0; n < INCIDENTS; n++) {
    const begin = Date.now() - ((n + 1) / INCIDENTS) * 89 * DAY_MS;
    const update = (hours: number, status: string) => ({
      description: 'As said by the **bench**.',
      status,
      publicIncidentUpdateDate: new Date(begin + hours * 3_600_000).toISOString(),
    });
    const services = [0, 1, 2, 3, 4].map((k) => ({ id: ids[(n * 7 + k * 13) % SERVICES] }));
    const id = await create('/incidents', {
      name: `Incident ${n}`,
      severity: ['CRITICAL', 'MAJOR', 'MEDIUM', 'MINOR'][n % 4],
      services,
      incidentUpdates: [update(0, 'INVESTIGATING')],
    });
    await create(`/incidents/${id}/incident-updates`, update((n % 5) + 1, 'RESOLVED'));
  }
}

/** Renames an incident ten times a second; answers how often. */
async function changeOften(appliance: RunningAppliance, signal: AbortSignal): Promise<number> {
  const listed = await appliance.call('GET', '/v1/status-pages/incidents?limit=1');
  const { entries } = (await listed.json()) as { entries: { id: string }[] };
  let changes = 0;
  while (!signal.aborted) {
    const path = `/v1/status-pages/incidents/${entries[0]?.id}`;
    await appliance.call('PATCH', path, { name: `Incident ${changes}` });
    changes++;
    await wait(CHANGE_MS);
  }
  return changes;
}

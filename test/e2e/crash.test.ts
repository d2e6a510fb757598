import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scheduleOf } from '#shared/checks/schedule.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

/** Rounds of killing; the full fifty with WATCHPOST_CRASH_ROUNDS=50. */
const ROUNDS = Number(process.env.WATCHPOST_CRASH_ROUNDS ?? 4);
const CHECKS = 200;
const WRITES_PER_SECOND = 20;
const ROUND_MS = 3_000;

const target = createServer((_request, response) => response.end('up'));
const folder = await temporaryFolder();

beforeAll(() => new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  target.close();
  await folder.remove();
});

const urlCheck = (name: string) => ({
  name,
  request: { url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/` },
  frequency: 0,
  frequencyOffset: 10,
});
const heartbeat = {
  name: 'nightly job',
  heartbeat: { period: 1, periodUnit: 'hours', grace: 1, graceUnit: 'hours' },
};

/** What the appliance has said yes to: it must still be there after any number of kills. */
interface Acknowledged {
  names: Map<string, string>;
  deleted: Set<string>;
  pings: number;
}

test(
  `${ROUNDS} kills under load lose nothing acknowledged and run no slot twice`,
  async () => {
    const said: Acknowledged = { names: new Map(), deleted: new Set(), pings: 0 };
    let appliance = await startProcess({ dataDir: folder.path });
    const ids = await Promise.all(
      Array.from({ length: CHECKS }, (_, n) => create(appliance, `check ${n}`)),
    );
    for (const { id, name } of ids) said.names.set(id, name);
    const beat = (await (
      await appliance.call('POST', '/v1/checks/heartbeat', heartbeat)
    ).json()) as Beat;
    const starts: number[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      await loadUntilKilled(appliance, beat, said);
      appliance = await startProcess({ dataDir: folder.path });
      starts.push(appliance.readyAfterMs);
      await expectNothingLost(appliance, beat, said);
    }

    await expectNoSlotTwice(
      appliance,
      ids.map(({ id }) => id),
    );
    console.info(`starts after a kill: longest ${Math.round(Math.max(...starts))} ms`);
    expect(await appliance.stop()).toBe(0);
  },
  ROUNDS * 60_000,
);

interface Beat {
  id: string;
  heartbeat: { pingToken: string };
}

async function create(appliance: RunningAppliance, name: string) {
  const response = await appliance.call('POST', '/v1/checks/url', urlCheck(name));
  expect(response.status).toBe(201);
  return (await response.json()) as { id: string; name: string };
}

/** Writes and pings until the kill, which comes in the middle of them. */
async function loadUntilKilled(appliance: RunningAppliance, beat: Beat, said: Acknowledged) {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const underWay = new Set<Promise<void>>();
  const load = setInterval(() => {
    for (const work of [write(appliance, said), ping(appliance, beat, said)]) {
      // A call that the kill cut off was not acknowledged: nothing is owed.
      const done: Promise<void> = work
        .catch((error: unknown) => expect(error).toBeInstanceOf(TypeError))
        .finally(() => underWay.delete(done));
      underWay.add(done);
    }
  }, 1_000 / WRITES_PER_SECOND);
  setTimeout(end, ROUND_MS * (0.5 + Math.random()));
  await over;
  await appliance.kill();
  clearInterval(load);
  await Promise.all(underWay);
}

async function write(appliance: RunningAppliance, said: Acknowledged): Promise<void> {
  const kept = [...said.names.keys()];
  const id = kept[Math.floor(Math.random() * kept.length)] as string;
  const name = `renamed ${randomUUID()}`;
  if (kept.length > CHECKS) {
    // Until it answers, either outcome is right.
    said.names.delete(id);
    const gone = await appliance.call('DELETE', `/v1/checks/${id}`);
    if (gone.status === 204) said.deleted.add(id);
    return;
  }
  const created = await create(appliance, name);
  said.names.set(created.id, name);
}

async function ping(appliance: RunningAppliance, beat: Beat, said: Acknowledged): Promise<void> {
  const response = await fetch(`${appliance.url}/ping/${beat.heartbeat.pingToken}`);
  await response.arrayBuffer();
  if (response.ok) said.pings++;
}

async function expectNothingLost(appliance: RunningAppliance, beat: Beat, said: Acknowledged) {
  for (const [id, name] of said.names) {
    const response = await appliance.call('GET', `/v1/checks/${id}`);
    expect(response.status, `check ${id}`).toBe(200);
    expect(((await response.json()) as { name: string }).name).toBe(name);
  }
  for (const id of said.deleted) {
    expect((await appliance.call('GET', `/v1/checks/${id}`)).status).toBe(404);
  }
  const path = `/v1/checks/heartbeats/${beat.id}/availability`;
  const { totalEntitiesCurrentPeriod } = (await (await appliance.call('GET', path)).json()) as {
    totalEntitiesCurrentPeriod: number;
  };
  expect(totalEntitiesCurrentPeriod).toBeGreaterThanOrEqual(said.pings);
}

/** One FINAL result a period, but for the first run, which comes before the schedule. */
async function expectNoSlotTwice(appliance: RunningAppliance, ids: readonly string[]) {
  for (const id of ids) {
    const response = await appliance.call('GET', `/v2/check-results/${id}?limit=100`);
    if (response.status === 404) continue;
    const { entries } = (await response.json()) as { entries: { startedAt: string }[] };
    const { periodMs, phaseMs } = scheduleOf({ id, frequency: 0, frequencyOffset: 10 });
    const [, ...scheduled] = entries
      .map(({ startedAt }) => Date.parse(startedAt))
      .toSorted((a, b) => a - b)
      .map((startedAt) => Math.floor((startedAt - phaseMs) / periodMs));
    expect(new Set(scheduled).size, `slots of ${id}`).toBe(scheduled.length);
  }
}

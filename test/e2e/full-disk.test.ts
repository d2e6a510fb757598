import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Receiver } from '../fixtures/receiver.ts';
import { type RunningAppliance, startProcess } from '../fixtures/running-appliance.ts';
import { canMountDisks, mountSmallDisk, type SmallDisk } from '../fixtures/small-disk.ts';
import { linesOf, watchpost } from '../fixtures/watchpost-command.ts';

const ENV = { WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true', WATCHPOST_OFFLINE_ALERT_AFTER: '1' };
const PATIENCE = { timeout: 120_000, interval: 200 };
const HEARTBEAT = { period: 1, periodUnit: 'hours', grace: 1, graceUnit: 'hours' };

const testWithDisk = test.skipIf(!canMountDisks());

testWithDisk(
  'on a full disk nothing acknowledged is lost, nothing refused is kept, and all goes on when there is room',
  async () => {
    using disk = mountSmallDisk();
    const target = await startTarget();
    await using receiver = await Receiver.start();
    let appliance = await start(disk);
    const config = { name: 'hook', url: receiver.url };
    await made(appliance, '/v1/alert-channels', { type: 'WEBHOOK', config });
    const beat = await made(appliance, '/v1/checks/heartbeat', {
      name: 'job',
      heartbeat: HEARTBEAT,
    });
    const ping = new URL(beat.heartbeat?.pingUrl ?? '').pathname;
    expect((await appliance.call('GET', ping)).status).toBe(200);

    // Checks are made, and run, until one finds the disk full.
    const kept: Created[] = [beat];
    for (;;) {
      const answer = await appliance.call('POST', '/v1/checks/url', urlCheck(target, kept.length));
      if (answer.status !== 201) break;
      kept.push((await answer.json()) as Created);
      if (kept.length === 6) disk.fill();
    }
    await expectRefused({ appliance, disk, ping }, kept);
    await vi.waitUntil(
      async () => (await connectivityOf(appliance)).reasons.includes('STORE'),
      PATIENCE,
    );
    await vi.waitUntil(() => receiver.requests.length > 0, PATIENCE);
    expect(receiver.json).toMatchObject({ alert_title: 'The monitor itself is blind' });

    await appliance.kill();
    appliance = await start(disk);
    await expectRefused({ appliance, disk, ping }, kept);
    const runsBefore = target.requests;
    await vi.waitUntil(() => target.requests > runsBefore, PATIENCE);

    disk.makeRoom();
    await vi.waitUntil(async () => (await appliance.call('GET', ping)).status === 200, PATIENCE);
    kept.push(await made(appliance, '/v1/checks/url', urlCheck(target, kept.length)));
    await vi.waitUntil(async () => (await connectivityOf(appliance)).state === 'seeing', PATIENCE);
    const { id = '' } = kept[1] ?? {};
    await vi.waitUntil(async () => (await resultsOf(appliance, id)).length > 0, PATIENCE);
    const results = await resultsOf(appliance, id);
    await appliance.kill();

    appliance = await start(disk);
    await expectKept(appliance, kept);
    expect(await resultsOf(appliance, id)).toEqual(expect.arrayContaining(results));
    expect((await eventsOf(appliance, beat)).length).toBeGreaterThanOrEqual(2);
    expect(await appliance.stop()).toBe(0);
  },
  300_000,
);

testWithDisk('a command that cannot write says so in one line', async () => {
  using disk = mountSmallDisk();
  const args = ['--data-dir', join(disk.path, 'data')];
  const appliance = await start(disk);
  disk.fill();
  const asked = await watchpost(['keys', 'create', '--name', 'ci', ...args]);
  expect([asked.code, asked.out, linesOf(asked.errors)]).toEqual([
    1,
    '',
    [
      'watchpost: Watchpost refused (503): The store cannot do this now: the disk of the data folder is full',
    ],
  ]);
  expect(await appliance.stop()).toBe(0);
  disk.fill();
  const alone = await watchpost(['keys', 'create', '--name', 'ci', ...args]);
  expect([alone.code, alone.out, linesOf(alone.errors)]).toEqual([
    1,
    '',
    [expect.stringMatching(/^watchpost: The data folder .*cannot be written.*(full|no space)/)],
  ]);
});

interface Created {
  id: string;
  name: string;
  heartbeat?: { pingUrl: string };
}

async function startTarget() {
  const target = { requests: 0, url: '' };
  const server = createServer((_request, response) => {
    target.requests++;
    response.end('up');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return target;
}

async function start({ path }: SmallDisk): Promise<RunningAppliance> {
  const appliance = await startProcess({ dataDir: join(path, 'data'), env: ENV });
  onTestFinished(() => appliance.kill());
  return appliance;
}

const urlCheck = ({ url }: { url: string }, n: number) => ({
  name: `check ${n}`,
  request: { url },
  frequency: 0,
  frequencyOffset: 10,
});

async function made(appliance: RunningAppliance, path: string, body: object): Promise<Created> {
  const answer = await appliance.call('POST', path, body);
  expect(answer.status, `POST ${path}`).toBe(201);
  return (await answer.json()) as Created;
}

/** Every write is refused with the reason, and changes nothing; reads are answered. */
async function expectRefused(
  { appliance, disk, ping }: { appliance: RunningAppliance; disk: SmallDisk; ping: string },
  kept: readonly Created[],
) {
  // Also of what a killed process gave back.
  disk.fill();
  const { id = '' } = kept[1] ?? {};
  const writes: [method: string, path: string, body?: object][] = [
    ['POST', '/v1/checks/url', urlCheck({ url: 'http://never.test/' }, 1_000)],
    ['PUT', `/v1/checks/url/${id}`, { name: 'renamed' }],
    ['DELETE', `/v1/checks/${id}`],
    ['POST', '/v1/variables', { key: 'KEY', value: 'value' }],
    ['POST', '/v1/check-sessions/trigger', { target: { checkId: id } }],
    ['GET', ping],
  ];
  for (const [method, path, body] of writes) {
    const answer = await appliance.call(method, path, body);
    const { message } = (await answer.json()) as { message: string };
    expect([answer.status, message], `${method} ${path}`).toEqual([
      503,
      expect.stringMatching(
        /^The store cannot do this now: the disk of the data folder is full$|could not be stored yet/,
      ),
    ]);
  }
  await expectKept(appliance, kept);
  expect((await appliance.call('GET', '/healthz')).status).toBe(200);
}

async function expectKept(appliance: RunningAppliance, kept: readonly Created[]) {
  const listed = await listOf<Created>(appliance, '/v1/checks?limit=100');
  const namesOf = (checks: readonly Created[]) => checks.map(({ id, name }) => `${id} ${name}`);
  expect(namesOf(listed).toSorted()).toEqual(namesOf(kept).toSorted());
  expect(await listOf(appliance, '/v1/variables')).toEqual([]);
}

async function listOf<T>(appliance: RunningAppliance, path: string): Promise<T[]> {
  return (await (await appliance.call('GET', path)).json()) as T[];
}

async function connectivityOf(appliance: RunningAppliance) {
  const answer = await appliance.call('GET', '/app/connectivity');
  return (await answer.json()) as { state: string; reasons: string[] };
}

async function resultsOf(appliance: RunningAppliance, checkId: string): Promise<{ id: string }[]> {
  const answer = await appliance.call('GET', `/v2/check-results/${checkId}?limit=100`);
  return ((await answer.json()) as { entries: { id: string }[] }).entries;
}

async function eventsOf(appliance: RunningAppliance, { id }: Created): Promise<object[]> {
  const [page] = await listOf<{ events: object[] }>(
    appliance,
    `/v1/checks/heartbeats/${id}/events`,
  );
  return page?.events ?? [];
}

import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LATE_WINDOW_MS } from '#shared/checks/heartbeat-rules.ts';
import type { AlertNotification } from '#shared/notifications/alert-notification.ts';
import {
  canMakeNetworks,
  GATEWAY,
  launcherIn,
  makeNetwork,
  type Network,
  relayIn,
} from '../fixtures/network-namespaces.ts';
import { startProcess, TEST_KEY, temporaryFolder } from '../fixtures/running-appliance.ts';

const TARGET_PORT = 8080;
const HOOK_PORT = 8081;
const ENV = {
  WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true',
  WATCHPOST_PROBE_GATEWAY: 'true',
  WATCHPOST_OFFLINE_ALERT_AFTER: '1',
};
const SCHEDULE = { frequency: 0, frequencyOffset: 10, retryStrategy: null };
const URL_CHECK = { request: { url: `http://${GATEWAY}:${TARGET_PORT}/` }, ...SCHEDULE };
const TCP_CHECK = { request: { hostname: GATEWAY, port: TARGET_PORT }, ...SCHEDULE };
/** The shortest period there is: the next ping is overdue while the network is cut. */
const HEARTBEAT = { period: 30, periodUnit: 'seconds', grace: 0, graceUnit: 'seconds' };

/** A miss would be in the list by then. */
const MARGIN_MS = 2_000;

interface Result {
  hasFailures: boolean;
  hasErrors: boolean;
  failure: { cause: string } | null;
}

const passed = ({ hasFailures, hasErrors }: Result) => !hasFailures && !hasErrors;
const wasOffline = ({ hasErrors, failure }: Result) => hasErrors && failure?.cause === 'BLIND';

test.skipIf(!canMakeNetworks())(
  'an appliance whose network is cut blames nobody, and tells once that it was blind, and that it sees again',
  async () => {
    using network = makeNetwork();
    const scene = await startScene(network);
    const { told, read, until } = scene;
    const { beat, checks } = await createChecks(scene);
    const everyLast = async (holds: (result: Result) => boolean) => {
      const results = await Promise.all(checks.map((check) => resultsOf(check, scene)));
      return results.every(([last]) => last !== undefined && holds(last));
    };
    const log = () => read<AlertNotification[]>('/v1/alert-notifications');
    const state = async () => (await read<{ state: string }>('/app/connectivity')).state;

    await until(() => everyLast(passed));
    await until(async () => (await state()) === 'seeing');
    await read(new URL(beat.heartbeat?.pingUrl ?? '').pathname);
    const missedAt = Date.now() + HEARTBEAT.period * 1_000 + LATE_WINDOW_MS + MARGIN_MS;
    network.cut();
    await until(() => everyLast(wasOffline));
    expect(await state()).toBe('blind');
    // The message that tells of it fails by the same cut, and stays owed.
    await until(async () => (await log()).some(({ notificationResult }) => notificationResult));
    expect((await log()).map(({ status }) => status)).toEqual(['IN_PROGRESS']);
    expect(told).toEqual([]);
    await until(() => Date.now() > missedAt);
    network.restore();
    await until(async () => (await log()).every(({ status }) => status === 'SUCCESS'));
    await until(() => told.length > 1 && everyLast(passed));

    expect(told).toEqual(['The monitor itself is blind', 'The monitor can see again']);
    expect(await log()).toHaveLength(2);
    await expectNobodyBlamed(beat, checks, scene);
  },
  300_000,
);

type Scene = Awaited<ReturnType<typeof startScene>>;

/** A heartbeat, and checks that run every 10 s; whatever happens to them is told over one webhook. */
async function createChecks({ create }: Scene) {
  const config = { name: 'hook', url: `http://${GATEWAY}:${HOOK_PORT}/` };
  await create('/v1/alert-channels', { type: 'WEBHOOK', config });
  const beat = await create('/v1/checks/heartbeat', { name: 'backup', heartbeat: HEARTBEAT });
  const checks = await Promise.all([
    ...['one', 'two', 'three'].map((name) => create('/v1/checks/url', { ...URL_CHECK, name })),
    create('/v1/checks/tcp', { ...TCP_CHECK, name: 'four' }),
  ]);
  return { beat, checks };
}

/** The newest first. */
async function resultsOf({ id }: Created, { read }: Scene): Promise<Result[]> {
  return (await read<{ entries: Result[] }>(`/v2/check-results/${id}?limit=100`)).entries;
}

/** Neither by a result, nor by an alert, nor by where it stands, nor by a missed ping. */
async function expectNobodyBlamed(beat: Created, checks: readonly Created[], scene: Scene) {
  const { read } = scene;
  const results = (await Promise.all(checks.map((check) => resultsOf(check, scene)))).flat();
  expect(results.filter(({ hasFailures }) => hasFailures)).toEqual([]);
  expect(await read('/v1/check-alerts')).toEqual([]);
  const statuses = await read<Result[]>('/v1/check-statuses');
  expect(statuses.map(passed)).toEqual([beat, ...checks].map(() => true));
  const path = `/v1/checks/heartbeats/${beat.id}`;
  const [seen] = await read<{ events: { state: string }[] }[]>(`${path}/events`);
  expect(seen?.events.map(({ state }) => state)).toEqual(['RECEIVED']);
  const availability = await read(`${path}/availability`);
  expect(availability).toMatchObject({ successRatio: { currentPeriod: 100 } });
}

interface Created {
  id: string;
  heartbeat?: { pingUrl: string };
}

/** An appliance in the monitor's namespace; what it watches and whom it tells is in the gateway's. */
async function startScene(network: Network) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const inFolder = (name: string) => join(folder.path, name);
  const told: string[] = [];
  await listen(inFolder('target'), (_request, response) => response.end('up'));
  await listen(inFolder('hook'), async (message, response) => {
    told.push((JSON.parse(await text(message)) as { alert_title: string }).alert_title);
    response.end();
  });
  await relayIn(network.gateway, [
    [`${GATEWAY}:${TARGET_PORT}`, inFolder('target')],
    [`${GATEWAY}:${HOOK_PORT}`, inFolder('hook')],
  ]);
  const launcher = launcherIn(network.monitor);
  const appliance = await startProcess({ dataDir: inFolder('data'), env: ENV, launcher });
  onTestFinished(() => appliance.kill());
  await relayIn(network.monitor, [[inFolder('api'), new URL(appliance.url).host]]);
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' };
    const asked = request({ socketPath: inFolder('api'), method, path, headers });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = await once(asked, 'response');
    const content = await text(answer);
    expect(answer.statusCode, `${method} ${path}: ${content}`).toBeLessThan(300);
    return /^[[{]/.test(content) ? JSON.parse(content) : content;
  };
  return {
    told,
    create: (path: string, body: object): Promise<Created> => call('POST', path, body),
    read: <T>(path: string): Promise<T> => call('GET', path),
    until: (holds: () => boolean | Promise<boolean>) =>
      vi.waitUntil(holds, { timeout: 120_000, interval: 200 }),
  };
}

async function listen(path: string, take: RequestListener): Promise<void> {
  const server = createServer(take).listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}

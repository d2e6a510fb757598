import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openHistory } from '#main/store/history/open-history.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

/** At most: a run is over by then. */
const KILL_WITHIN_MS = 60;
/** What a failing run and a passing one log before they are written. */
const DECIDED = /\\"Shop\\" is (?:failing|passing again)/;

type Moment = 'any' | 'decided' | 'written';
/** When the appliance is killed in each round: each moment of an outage, and of its end. */
const MOMENTS: readonly Moment[] = Array.from(
  { length: 3 },
  () => ['written', 'written', 'any', 'decided', 'decided', 'any'] as const,
).flat();

test(`over ${MOMENTS.length} kills each outage that raised an alert has one incident, and each is resolved`, async () => {
  const seed = Number(process.env.WATCHPOST_SEED ?? randomInt(2 ** 31));
  console.info(`WATCHPOST_SEED=${seed}`);
  const random = randomOf(seed);
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const target = await startTarget();
  const start = () => startWatched(folder.path);

  let appliance = await start();
  onTestFinished(() => appliance.kill());
  const checkId = await prepare(appliance, target.url);
  for (const [round, moment] of MOMENTS.entries()) {
    target.status = round % 2 === 0 ? 503 : 200;
    await killDuringRun(appliance, checkId, { moment, target, waitMs: random() * KILL_WITHIN_MS });
    appliance = await start();
  }
  target.status = 200;
  await run(appliance, checkId).catch(() => null);
  expect(await appliance.stop()).toBe(0);

  const { alerts, incidents } = await readHistory(folder.path);
  const raised = alerts.filter(({ alertType }) => alertType === 'ALERT_FAILURE');
  expect(raised.length).toBeGreaterThan(2);
  const statuses = incidents.map(({ updates }) => updates.map(({ status }) => status));
  expect(statuses).toEqual(raised.map(() => ['INVESTIGATING', 'RESOLVED']));
  const apartMs = raised.map(({ createdAt }, n) => createdAt - (incidents[n]?.createdAt ?? 0));
  expect(Math.max(...apartMs.map(Math.abs)), 'between alert and incident').toBeLessThan(1_000);
}, 300_000);

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function startTarget() {
  const target = { status: 200, url: '', asked: Promise.withResolvers<void>() };
  const server = createServer((_request, response) => {
    response.writeHead(target.status).end();
    target.asked.resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return target;
}

interface Watched extends RunningAppliance {
  /** Resolves once a run has changed how the check stands, mostly before that is written. */
  decided: Promise<void>;
}

async function startWatched(dataDir: string): Promise<Watched> {
  const env = {
    WATCHPOST_LOG: 'info',
    // The network of a test machine says nothing about the target.
    WATCHPOST_PROBE_GATEWAY: 'false',
    WATCHPOST_PROBE_RESOLVERS: 'false',
  };
  const appliance = await startProcess({ dataDir, env });
  const { promise, resolve } = Promise.withResolvers<void>();
  appliance.process.stderr?.on('data', (text: Buffer) => {
    if (DECIDED.test(String(text))) resolve();
  });
  return { ...appliance, decided: promise };
}

/** A check that opens incidents of a service, run by hand only; returns its id. */
async function prepare(appliance: RunningAppliance, url: string): Promise<string> {
  const post = async (method: string, path: string, body: unknown) => {
    const response = await appliance.call(method, path, body);
    expect(response.ok, `${method} ${path}`).toBe(true);
    return (await response.json()) as { id: string };
  };
  // Every outage is to raise its alert.
  const flapping = { enabled: false };
  await post('PUT', '/app/account', { flapping });
  const { id: serviceId } = await post('POST', '/v1/status-pages/services', { name: 'Shop' });
  const texts = { name: '{{CHECK_NAME}} is down', description: 'We look into it.' };
  const { id } = await post('POST', '/v1/checks/url', {
    name: 'Shop',
    request: { url },
    frequency: 1_440,
    retryStrategy: null,
    triggerIncident: { serviceId, severity: 'MAJOR', notifySubscribers: false, ...texts },
  });
  return id;
}

/** Runs the check now; resolves once the run is over. */
async function run(appliance: RunningAppliance, checkId: string): Promise<void> {
  const body = { target: { checkId } };
  const response = await appliance.call('POST', '/v1/check-sessions/trigger', body);
  const { sessions } = (await response.json()) as { sessions: { checkSessionId: string }[] };
  const path = `/v1/check-sessions/${sessions[0]?.checkSessionId}/completion`;
  await (await appliance.call('GET', path)).arrayBuffer();
}

interface Kill {
  moment: Moment;
  /** After the target was asked, where the moment is any. */
  waitMs: number;
  target: Awaited<ReturnType<typeof startTarget>>;
}

async function killDuringRun(
  appliance: Watched,
  checkId: string,
  { moment, target, waitMs }: Kill,
): Promise<void> {
  target.asked = Promise.withResolvers();
  // Killed on the way, it fails.
  const over = run(appliance, checkId).catch(() => undefined);
  if (moment === 'written') await over;
  // A run that changes nothing decides nothing.
  if (moment === 'decided') await Promise.race([appliance.decided, over]);
  if (moment === 'any') await target.asked.promise.then(() => delay(waitMs));
  await appliance.kill();
  await over;
}

async function readHistory(folder: string) {
  const history = await openHistory(folder);
  const incidents = (await history.listIncidents({ limit: 100 })).reverse();
  const query = { from: 0, to: Date.now() + 1, limit: 100, offset: 0 };
  const alerts = (await history.listAlerts(query)).alerts.reverse();
  await history.close();
  return { alerts, incidents };
}

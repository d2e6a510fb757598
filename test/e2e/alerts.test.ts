import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openHistory } from '#main/store/history/open-history.ts';
import type { CheckAlert } from '#shared/alerting/check-alert.ts';
import type { AlertNotification } from '#shared/notifications/alert-notification.ts';
import { AlertReceivers, LIVING, type Living } from '../fixtures/alert-receivers.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

/** What the checks do, one after the other; one change more would count as flapping. */
const PHASES = ['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE', 'ALERT_RECOVERY'] as const;
/** Not ASCII only: a signature is of bytes. */
const NAMES = ['Café', 'Büro', '店舗'];
const ALERTS = NAMES.length * PHASES.length;
/** Kills while only the slow and the failing receiver are owed something. */
const LATE_KILLS = 2;
/** Every other kill meets a message before its answer is kept; the rest come within this time. */
const KILL_WITHIN_MS = 200;

const VERBS = { ALERT_FAILURE: 'has failed', ALERT_RECOVERY: 'has recovered' };

test('over kill -9 each alert reaches each living channel in order, and once unless it was in flight', async () => {
  await using receivers = await AlertReceivers.start();
  const scene = await startScene(receivers);
  await scene.createChannels();

  scene.target.status = 503;
  await scene.createChecks();
  for (const [phase, type] of PHASES.entries()) {
    scene.target.status = type === 'ALERT_FAILURE' ? 503 : 200;
    if (phase > 0) await scene.triggerChecks();
    // The healthy ones alone take two messages about each check.
    await killAfter(randomInt(2 * NAMES.length + 1), scene);
    await receivers.until(() => receivers.haveHeard((phase + 1) * NAMES.length, HEALTHY));
  }
  for (let kill = 0; kill < LATE_KILLS; kill++) await killAfter(randomInt(1, 4), scene);
  await receivers.until(() => receivers.haveHeard(ALERTS));

  const alerts = await scene.list<CheckAlert>('/v1/check-alerts');
  expectEachChangeOnce(alerts);
  for (const name of LIVING) await expectHeard(name, alerts, scene);
  await expectDead(alerts, scene);
  expect([receivers.forged, receivers.hasRefused]).toEqual([0, true]);
  expect(await scene.appliance.stop()).toBe(0);
}, 300_000);

const HEALTHY: readonly Living[] = ['signed', 'mail'];

/** What the store of a killed appliance says was being sent: that alone may be sent again. */
interface InFlight {
  channelId: string;
  resultId: string | null;
}

type Scene = Awaited<ReturnType<typeof startScene>>;

async function startScene(receivers: AlertReceivers) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const target = await startTarget();
  const env = {
    ...receivers.env,
    WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true',
    // The network of a test machine says nothing about the target.
    WATCHPOST_PROBE_GATEWAY: 'false',
    WATCHPOST_PROBE_RESOLVERS: 'false',
    // Each alert by itself; storms have a test of their own.
    WATCHPOST_STORM_ALERTS: '0',
    WATCHPOST_MESSAGES_PER_MINUTE: '10000',
  };
  const start = () => startProcess({ dataDir: folder.path, env });
  let appliance: RunningAppliance = await start();
  onTestFinished(() => appliance.kill());
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const response = await appliance.call('POST', path, body);
    expect(response.status, `POST ${path}`).toBe(201);
    return (await response.json()) as T;
  };
  const channelIds = new Map<string, number>();
  let checkIds: string[] = [];
  const inFlight: InFlight[] = [];
  return {
    receivers,
    target,
    channelIds,
    inFlight,
    get appliance() {
      return appliance;
    },
    async createChannels() {
      for (const [name, body] of receivers.channels) {
        channelIds.set(name, (await post<{ id: number }>('/v1/alert-channels', body)).id);
      }
    },
    async createChecks() {
      const body = (name: string) => ({
        name,
        request: { url: target.url },
        frequency: 0,
        frequencyOffset: 10,
        retryStrategy: null,
      });
      const checks = NAMES.map((name) => post<{ id: string }>('/v1/checks/url', body(name)));
      checkIds = (await Promise.all(checks)).map(({ id }) => id);
    },
    /** Runs every check now; where a kill comes first, its schedule does. */
    async triggerChecks() {
      for (const checkId of checkIds) {
        await post('/v1/check-sessions/trigger', { target: { checkId } });
      }
    },
    async killAndRestart() {
      await appliance.kill();
      inFlight.push(...(await readInFlight(folder.path)));
      appliance = await start();
    },
    /** One page of a list, oldest first. */
    async list<T>(path: string): Promise<T[]> {
      const mark = path.includes('?') ? '&' : '?';
      const response = await appliance.call('GET', `${path}${mark}limit=100`);
      expect(response.status, `GET ${path}`).toBe(200);
      return ((await response.json()) as T[]).reverse();
    },
  };
}

async function startTarget() {
  const target = { status: 200, url: '' };
  const server = createServer((_request, response) => response.writeHead(target.status).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return target;
}

/** Kills the appliance at any moment after so many more messages, and starts it again. */
async function killAfter(messages: number, { receivers, killAndRestart }: Scene): Promise<void> {
  const due = receivers.count + messages;
  await receivers.until(() => receivers.count >= due || receivers.haveHeard(ALERTS));
  if (randomInt(2) === 0) await delay(randomInt(KILL_WITHIN_MS));
  await killAndRestart();
}

async function readInFlight(folder: string): Promise<InFlight[]> {
  const history = await openHistory(folder);
  const owed = await history.loadPendingNotifications({ limit: 10_000 });
  await history.close();
  const sending = owed.filter(({ status }) => status === 'IN_PROGRESS');
  return sending.map(({ channelId, checkResultId: resultId }) => ({ channelId, resultId }));
}

/** No kill made a check alert twice, or not at all. */
function expectEachChangeOnce(alerts: readonly CheckAlert[]): void {
  const byName = Map.groupBy(alerts, ({ name }) => name);
  const types = [...byName].map(([name, all]) => [name, all.map(({ alertType }) => alertType)]);
  expect(Object.fromEntries(types)).toEqual(Object.fromEntries(NAMES.map((n) => [n, [...PHASES]])));
}

async function expectHeard(name: Living, alerts: readonly CheckAlert[], scene: Scene) {
  const log = await settledLog(name, scene);
  expect(log.map(({ status }) => status)).toEqual(Array(ALERTS).fill('SUCCESS'));
  expectSameAlerts(log, alerts);
  const heard = scene.receivers.heard[name];
  const logged = new Map(log.map((line) => [line.checkResultId, line.timestamp]));
  expect(new Set<string | null>(heard), name).toEqual(new Set(logged.keys()));
  // With the repeats: what was in flight comes again before anything younger.
  const times = heard.map((resultId) => logged.get(resultId));
  expect(times, `order of ${name}`).toEqual(times.toSorted());
  expectOnceUnlessInFlight(name, scene);
  expectTitles(log, alerts, scene.receivers);
}

/** The log of a channel, once nothing more is under way: its last line is kept a moment after it was told. */
async function settledLog(name: string, { channelIds, list }: Scene): Promise<AlertNotification[]> {
  const path = `/v1/alert-notifications?alertChannelId=${channelIds.get(name)}`;
  for (;;) {
    const log = await list<AlertNotification>(path);
    if (log.every(({ status }) => status !== 'IN_PROGRESS')) return log;
  }
}

function expectSameAlerts(log: readonly AlertNotification[], alerts: readonly CheckAlert[]): void {
  const ids = alerts.map(({ id }) => id);
  expect(log.map(({ checkAlertId }) => checkAlertId).toSorted()).toEqual(ids.toSorted());
}

/** A message comes once, and once more at most for each kill that met it on its way. */
function expectOnceUnlessInFlight(name: Living, { receivers, channelIds, inFlight }: Scene): void {
  const heard = receivers.heard[name];
  const channelId = String(channelIds.get(name));
  for (const [resultId, times] of Map.groupBy(heard, (id) => id)) {
    const kills = inFlight.filter(
      (one) => one.channelId === channelId && one.resultId === resultId,
    );
    expect(times.length, `${resultId} on ${name}`).toBeLessThanOrEqual(1 + kills.length);
  }
}

function expectTitles(
  log: readonly AlertNotification[],
  alerts: readonly CheckAlert[],
  { titles }: AlertReceivers,
): void {
  for (const { checkAlertId, checkResultId } of log) {
    const alert = alerts.find(({ id }) => id === checkAlertId);
    const verb = VERBS[alert?.alertType as keyof typeof VERBS];
    expect(titles.get(checkResultId ?? '')).toBe(`"${alert?.name}" ${verb}`);
  }
}

/** A dead channel owes everything still, and the log says why. */
async function expectDead(alerts: readonly CheckAlert[], { channelIds, list }: Scene) {
  const id = channelIds.get('dead');
  const log = await list<AlertNotification>(`/v1/alert-notifications?alertChannelId=${id}`);
  expectSameAlerts(log, alerts);
  expect(new Set(log.map(({ status }) => status))).toEqual(new Set(['IN_PROGRESS']));
  expect(log[0]?.notificationResult).toMatch(/^CONNECTION_FAILED/);
}

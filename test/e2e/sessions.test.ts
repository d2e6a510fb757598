import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountingTarget } from '../fixtures/counting-target.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

/** Retries, sessions and group runs through the whole appliance, and over `kill -9`. */

const folder = await temporaryFolder();
const target = new CountingTarget();
let appliance: RunningAppliance;

beforeAll(async () => {
  await target.listen();
  appliance = await startProcess({ dataDir: folder.path });
});
afterAll(async () => {
  await appliance.stop();
  await target.close();
  await folder.remove();
});

async function post<T>(path: string, body?: unknown): Promise<T> {
  const response = await appliance.call('POST', path, body);
  expect(response.status, `POST ${path}`).toBe(201);
  return (await response.json()) as T;
}

interface Session {
  checkSessionId: string;
  checkId: string;
  status: string;
  results: { resultType: string }[];
}

/** Waits for the end of a session as a client does: again as long as the answer is 408. */
async function completed({ checkSessionId }: Session): Promise<Session> {
  const path = `/v2/check-sessions/${checkSessionId}/completion?maxWaitSeconds=30`;
  let response = await appliance.call('GET', path);
  while (response.status === 408) response = await appliance.call('GET', path);
  expect(response.status).toBe(200);
  return (await response.json()) as Session;
}

/** @param meanwhile what happens while the appliance is down */
async function killAndRestart(meanwhile: () => void = () => undefined): Promise<void> {
  await appliance.kill();
  meanwhile();
  appliance = await startProcess({ dataDir: folder.path });
}

/** A check that is not due for a long time, but for its first run. */
const rare = (path: string, members: object = {}) => ({
  name: path,
  request: { url: target.url(path) },
  frequency: 1_440,
  ...members,
});

const trigger = async (body: object) =>
  (await post<{ sessions: Session[] }>('/v1/check-sessions/trigger', { target: body })).sessions;

/** A group of 10 checks, made in an order that is not that of the group. */
async function groupOfTen(name: string) {
  const group = await post<{ id: number }>('/v2/check-groups', { name, concurrency: 3 });
  const places = [7, 2, 9, 0, 5, 1, 8, 3, 6, 4];
  const checks: { id: string }[] = [];
  for (const groupOrder of places) {
    const members = { groupId: group.id, groupOrder, retryStrategy: null };
    checks.push(await post('/v1/checks/url', rare(`/${name}/${groupOrder}`, members)));
  }
  // The first runs of new checks are over before anything is counted.
  for (const { id } of checks) await untilKept(id, 1);
  target.forget();
  return group;
}

/** Checks start in their order: when one arrives, only those under way beside it may still be to come. */
function expectInOrder(name: string): void {
  const order = [...new Set(target.paths)]
    .filter((path) => path.startsWith(`/${name}/`))
    .map((path) => Number(path.split('/').at(-1)));
  expect(order).toHaveLength(10);
  for (const [place, n] of order.entries()) {
    const before = order.slice(0, place).filter((other) => other < n);
    expect(n - before.length, `started before ${n} in ${order}`).toBeLessThan(3);
  }
}

test('a triggered group never has more than its concurrency under way, and keeps its order', async () => {
  const group = await groupOfTen('orderly');
  target.answerAfterMs = 300;
  const sessions = await trigger({ groupId: group.id });
  const ended = await Promise.all(sessions.map(completed));
  expect(ended.map(({ status }) => status)).toEqual(Array(10).fill('PASSED'));
  expect(target.mostAtOnce).toBeLessThanOrEqual(3);
  expect(target.mostAtOnce).toBeGreaterThan(1);
  expect(target.paths).toHaveLength(10);
  expectInOrder('orderly');
});

test('kill -9 in a group run: what was not over is run after the restart, still in order', async () => {
  const group = await groupOfTen('killed');
  target.answerAfterMs = 300;
  const sessions = await trigger({ groupId: group.id });
  await target.seen((path) => path.startsWith('/killed/'), 5);
  await killAndRestart();
  const ended = await Promise.all(sessions.map(completed));
  expect(ended.map(({ status }) => status)).toEqual(Array(10).fill('PASSED'));
  for (const { results } of ended) expect(results.map((one) => one.resultType)).toEqual(['FINAL']);
  expect(target.mostAtOnce).toBeLessThanOrEqual(3);
  expectInOrder('killed');
});

const slowRetry = { type: 'FIXED', baseBackoffSeconds: 3, sameRegion: true, maxRetries: 1 };

async function resultsOf(checkId: string) {
  const path = `/v2/check-results/${checkId}?resultType=ALL`;
  const { entries } = (await (await appliance.call('GET', path)).json()) as {
    entries: { resultType: string; sequenceId: string; attempts: number }[];
  };
  return entries.reverse();
}

async function untilKept(checkId: string, count: number) {
  let results = await resultsOf(checkId);
  while (results.length < count) results = await resultsOf(checkId);
  return results;
}

test('kill -9 in a backoff: the retry is made after the restart, in the same sequence', async () => {
  target.answerAfterMs = 0;
  target.failing.add('/backoff');
  const check = await post<{ id: string }>(
    '/v1/checks/url',
    rare('/backoff', { retryStrategy: slowRetry }),
  );
  await untilKept(check.id, 1);
  await killAndRestart(() => target.failing.delete('/backoff'));
  const results = await untilKept(check.id, 2);
  expect(results).toMatchObject([
    { resultType: 'ATTEMPT', attempts: 0 },
    { resultType: 'FINAL', attempts: 1, sequenceId: results[0]?.sequenceId },
  ]);
});

test('kill -9 in the backoff of a session: it ends with the result of the retry', async () => {
  const check = await post<{ id: string }>(
    '/v1/checks/url',
    rare('/session', { retryStrategy: slowRetry }),
  );
  await untilKept(check.id, 1);
  target.failing.add('/session');
  const [session] = await trigger({ checkId: check.id });
  await untilKept(check.id, 2);
  await killAndRestart(() => target.failing.delete('/session'));
  const ended = await completed(session as Session);
  expect(ended.status).toBe('PASSED');
  expect(ended.results.map(({ resultType }) => resultType)).toEqual(['ATTEMPT', 'FINAL']);
});

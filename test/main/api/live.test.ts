import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppSummary, CheckSummary } from '#shared/summaries/check-summary.ts';
import type { LiveEvent } from '#shared/summaries/live-event.ts';
import { readRuns } from '#shared/summaries/run-code.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';
import { makeResult } from '../store/records.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function createCheck(members: object = {}): Promise<string> {
  const body = { name: 'a check', ...LEAST_BODIES.URL, ...members };
  return ((await api.call('POST', '/v1/checks/url', { body })).body as { id: string }).id;
}

async function summary(): Promise<AppSummary> {
  return (await api.call('GET', '/app/summary')).body as AppSummary;
}

async function summaryOf(id: string): Promise<CheckSummary> {
  const found = (await summary()).checks.find((check) => check.id === id);
  if (found === undefined) throw new Error('The summary does not have the check.');
  return found;
}

/** The events of the next message with any; ends the stream. */
async function eventsAfter(
  cursor: string,
  act: () => Promise<unknown>,
  of = api,
): Promise<LiveEvent[]> {
  const answer = await fetch(`${of.url}/app/events`, {
    headers: { authorization: `Bearer ${of.key}`, 'last-event-id': cursor },
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  await act();
  await of.clock.advance(500);
  let text = '';
  for await (const bytes of answer.body ?? []) {
    text += Buffer.from(bytes).toString();
    const data = /event: deltas\ndata: (.*)\n\n/.exec(text)?.[1];
    // To leave the loop ends the stream.
    if (data !== undefined) return JSON.parse(data) as LiveEvent[];
  }
  throw new Error('The stream ended.');
}

test('the summary of an empty appliance is empty', async () => {
  expect(await summary()).toMatchObject({ groups: [], checks: [] });
});

test('a check shows where it stands, why and since when, its runs and its day', async () => {
  const id = await createCheck({ name: 'Checkout', tags: ['production'] });
  api.monitor.statuses.set(id, keptStatus({ hasFailures: true }));
  api.monitor.troubles.set(id, NOW - 840_000);
  const failure = { cause: 'ASSERTION', message: 'status 502' } as const;
  for (const [index, hasFailures] of [false, false, false, true].entries()) {
    const createdAt = NOW - 60_000 * (4 - index);
    const run = { hasFailures, failure: hasFailures ? failure : null, responseTime: 200 };
    const { result } = makeResult({ checkId: id, createdAt, ...run });
    for (const { result: tell } of api.monitor.listeners) tell(result);
  }
  const shown = await summaryOf(id);
  expect(shown).toMatchObject({
    name: 'Checkout',
    type: 'URL',
    state: 'failing',
    since: NOW - 840_000,
    cause: 'status 502',
    lastRunAt: NOW - 60_000,
    tags: ['production'],
    availability: 75,
  });
  expect(readRuns(shown.runs).map(({ state }) => state)).toEqual([
    'passing',
    'passing',
    'passing',
    'failing',
  ]);
  expect(shown.p95).toBeGreaterThan(190);
  expect(shown.p95).toBeLessThan(210);
});

test('what happened before the first summary is read from the history', async () => {
  const other = await startApi();
  const body = { name: 'older', ...LEAST_BODIES.URL };
  const { id } = (await other.call('POST', '/v1/checks/url', { body })).body as { id: string };
  const results = [3, 2, 1].map((minutes) =>
    makeResult({ checkId: id, createdAt: NOW - minutes * 60_000, hasFailures: minutes === 3 }),
  );
  await other.history.write({ results });
  const { checks } = (await other.call('GET', '/app/summary')).body as AppSummary;
  expect(checks).toMatchObject([{ id, lastRunAt: NOW - 60_000, availability: 66.666 }]);
  await other.close();
});

test('a summary waits a tenth of a second for the history; what is read of it later is told', async () => {
  const other = await startApi();
  const body = { name: 'older', ...LEAST_BODIES.URL };
  const { id } = (await other.call('POST', '/v1/checks/url', { body })).body as { id: string };
  other.monitor.statuses.set(id, keptStatus());
  await other.history.write({ results: [makeResult({ checkId: id, createdAt: NOW - 60_000 })] });
  const [isAsked, isRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = other.history.readWindows.bind(other.history);
  other.history.readWindows = async (query) => {
    isAsked.resolve();
    await isRead.promise;
    return read(query);
  };
  const asked = other.call('GET', '/app/summary');
  await isAsked.promise;
  await other.clock.advance(100);
  const { checks, cursor } = (await asked).body as AppSummary;
  expect(checks).toMatchObject([{ id, state: 'passing', runs: '', availability: null }]);
  const told = await eventsAfter(
    cursor,
    async () => {
      isRead.resolve();
      // One that is asked for now waits for what is being read.
      await other.call('GET', '/app/summary');
    },
    other,
  );
  expect(told).toMatchObject([
    {
      kind: 'windows',
      checks: [{ id, state: 'passing', availability: 100, lastRunAt: NOW - 60_000 }],
    },
  ]);
  await other.close();
});

test('a check of a group that is off is paused and has the tags of its group', async () => {
  const group = { name: 'Shop', tags: ['shop'], activated: false, muted: true };
  const made = await api.call('POST', '/v2/check-groups', { body: group });
  const groupId = (made.body as { id: number }).id;
  const id = await createCheck({ groupId, tags: ['own'] });
  expect(await summaryOf(id)).toMatchObject({
    state: 'paused',
    muted: true,
    groupId,
    tags: ['own', 'shop'],
  });
  expect((await summary()).groups).toMatchObject([{ id: groupId, name: 'Shop' }]);
});

test('a run is told as it is settled', async () => {
  const id = await createCheck();
  api.monitor.statuses.set(id, keptStatus());
  const { cursor } = await summary();
  const { result } = makeResult({ checkId: id, createdAt: NOW + 5, responseTime: 42 });
  const events = await eventsAfter(cursor, async () => {
    for (const { result: tell } of api.monitor.listeners) tell(result);
  });
  expect(events).toMatchObject([
    { kind: 'run', id, resultId: result.id, state: 'passing', lastRunAt: NOW + 5 },
  ]);
  expect(readRuns((events[0] as { run: string }).run)[0]?.responseTime).toBeCloseTo(42, -1);
});

test('an attempt that is retried is not told', async () => {
  const id = await createCheck();
  const { cursor } = await summary();
  const events = await eventsAfter(cursor, async () => {
    const { result: attempt } = makeResult({ checkId: id, resultType: 'ATTEMPT' });
    for (const { result: tell } of api.monitor.listeners) tell(attempt);
    await api.call('DELETE', `/v1/checks/${id}`);
  });
  expect(events).toEqual([{ kind: 'check-gone', id }]);
});

test('a check is told of when it is created, changed and deleted', async () => {
  const { cursor } = await summary();
  const told = await eventsAfter(cursor, async () => {
    const id = await createCheck({ name: 'new' });
    await api.call('DELETE', `/v1/checks/${id}`);
  });
  expect(told).toMatchObject([
    { kind: 'check', check: { name: 'new', state: 'pending' } },
    { kind: 'check-gone' },
  ]);
});

test('neither answers without a key', async () => {
  for (const path of ['/app/summary', '/app/events']) {
    expect((await api.call('GET', path, { key: null })).status).toBe(401);
  }
});

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Slo } from '#shared/analytics/slo.ts';
import type { SloReport } from '#shared/analytics/slo-report.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { publishedWindow } from '../../fixtures/published-windows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const AVAILABLE = { kind: 'AVAILABILITY', percent: 99 };

async function create(body: object): Promise<Slo> {
  const given = { name: 'Shop', objective: AVAILABLE, ...body };
  const { status, body: made } = await api.call('POST', '/app/slos', { body: given });
  expect([status, made]).toMatchObject([201, {}]);
  return made as Slo;
}

async function report({ id }: Slo): Promise<SloReport> {
  return (await api.call('GET', `/app/slos/${id}/report`)).body as SloReport;
}

/** Keeps runs of a check that ended so many milliseconds before now. */
async function runs(checkId: string, agos: readonly number[], members: object = {}): Promise<void> {
  const results = agos.map((ago) => ({
    result: makeResult(NOW - ago, { id: randomUUID(), checkId, ...members }),
    detail: '{}',
  }));
  await api.history.write({ results });
}

describe('an objective', () => {
  test('is created with defaults, read, listed, changed and deleted', async () => {
    const check = makeCheck('URL');
    await api.configuration.checks.put(check);
    const made = await create({ target: { checkId: check.id } });
    expect(made).toMatchObject({
      name: 'Shop',
      description: null,
      windowDays: 30,
      alertOnFastBurn: true,
      alertChannelIds: null,
      burningSince: null,
      updated_at: null,
    });
    const path = `/app/slos/${made.id}`;
    expect((await api.call('GET', path)).body).toEqual(made);
    expect((await api.call('GET', '/app/slos')).body).toEqual([made]);
    const changed = await api.call('PUT', path, { body: { windowDays: 7 } });
    expect(changed.body).toEqual({ ...made, windowDays: 7, updated_at: expect.any(String) });
    expect((await api.call('DELETE', path)).status).toBe(204);
    expect((await api.call('GET', path)).status).toBe(404);
    expect((await api.call('GET', `${path}/report`)).status).toBe(404);
  });

  test.each<[object, string]>([
    [{ target: {} }, 'target: expected one of checkId, groupId and tag'],
    [{ target: { tag: 'a', groupId: 1 } }, 'target: expected one of checkId, groupId and tag'],
    [
      { objective: { kind: 'AVAILABILITY', percent: 100 } },
      'objective.percent: expected a number from 50 to 99.999, got 100',
    ],
    [{ objective: { kind: 'LATENCY', percent: 99 } }, 'objective.underMs: expected'],
    [{ objective: { kind: 'SPEED', percent: 99 } }, 'objective.kind: expected'],
    [{ windowDays: 31 }, 'windowDays: expected a whole number from 1 to 30, got 31'],
    [{ target: { checkId: randomUUID() } }, 'target.checkId: no check'],
    [{ target: { groupId: 7 } }, 'target.groupId: no check group 7 exists'],
    [{ alertChannelIds: [9] }, 'alertChannelIds.0: no alert channel 9 exists'],
  ])('of %j is refused: %s', async (given, message) => {
    const body = { name: 'Shop', target: { tag: 'a' }, objective: AVAILABLE, ...given };
    const answer = await api.call('POST', '/app/slos', { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
    expect(api.configuration.slos.size).toBe(0);
  });
});

describe('a report', () => {
  test('tells what is good of a check, and how much of its budget is left', async () => {
    const check = makeCheck('URL', { createdAt: NOW - 10 * DAY });
    await api.configuration.checks.put(check);
    const slo = await create({ target: { checkId: check.id } });
    await runs(
      check.id,
      Array.from({ length: 997 }, (_, n) => 7 * HOUR + n),
    );
    await runs(check.id, [2 * HOUR, 30 * 60_000], { hasFailures: true });
    await runs(check.id, [1_000], {});
    await runs(check.id, [2_000], { hasErrors: true });
    await runs(check.id, [40 * DAY], { hasFailures: true });
    expect(await report(slo)).toEqual({
      from: new Date(NOW - 10 * DAY).toISOString(),
      to: new Date(NOW).toISOString(),
      checks: 1,
      total: 1_000,
      good: 998,
      percent: expect.closeTo(99.8),
      isMet: true,
      errorBudget: {
        runs: { allowed: 10, used: 2, left: 8 },
        minutes: { allowed: 144, used: expect.closeTo(28.8), left: expect.closeTo(115.2) },
        leftPercent: expect.closeTo(80),
      },
      maintenanceMinutes: 0,
      burnRates: { oneHour: 50, sixHours: expect.closeTo(66.667, 2) },
      burningSince: null,
    });
  });

  test('leaves out what ran during published maintenance, and the time of it', async () => {
    const check = makeCheck('URL', { createdAt: NOW - 2 * DAY, tags: ['shop'] });
    await api.configuration.checks.put(check);
    const times = { startsAt: '2026-01-15T08:00:00Z', endsAt: '2026-01-15T11:00:00Z' };
    const window = publishedWindow({}, { ...times, silenceAlertsTags: ['shop'] });
    await api.configuration.maintenanceWindows.put(window);
    const slo = await create({ target: { tag: 'shop' } });
    await runs(check.id, [3 * HOUR, 2 * HOUR], { hasFailures: true });
    await runs(check.id, [10_000]);
    expect(await report(slo)).toMatchObject({
      total: 1,
      good: 1,
      maintenanceMinutes: 180,
      errorBudget: { minutes: { allowed: expect.closeTo(45 * 60 * 0.01) } },
    });
  });

  test('is of all checks of a group, and of heartbeats where no time is asked for', async () => {
    await api.configuration.groups.put(makeGroup('v2', { name: 'Web', tags: ['web'] }, 3));
    const [check, other, heartbeat] = [
      makeCheck('URL', { groupId: 3 }),
      makeCheck('TCP', { groupId: 3 }),
      makeCheck('HEARTBEAT', { groupId: 3 }),
    ];
    for (const one of [check, other, heartbeat]) await api.configuration.checks.put(one);
    await runs(check.id, [5_000, 6_000], { responseTime: 100 });
    await runs(other.id, [5_000], { responseTime: 900, checkType: 'TCP' });
    const event = { checkId: heartbeat.id, source: null, userAgent: null } as const;
    await api.history.write({
      heartbeatEvents: [
        { ...event, id: randomUUID(), state: 'FAILING', timestamp: NOW - 9_000 },
        { ...event, id: randomUUID(), state: 'EARLY', timestamp: NOW - 5_000 },
      ],
    });
    for (const target of [{ groupId: 3 }, { tag: 'web' }]) {
      const available = await create({ target });
      expect(await report(available)).toMatchObject({ checks: 3, total: 5, good: 4 });
      const objective = { kind: 'LATENCY', percent: 50, underMs: 500 };
      const fast = await create({ target, objective });
      expect(await report(fast)).toMatchObject({ checks: 2, total: 3, good: 2 });
    }
  });

  test('of nothing says so', async () => {
    const slo = await create({ target: { tag: 'nobody' } });
    expect(await report(slo)).toMatchObject({
      checks: 0,
      total: 0,
      percent: null,
      isMet: null,
      errorBudget: { leftPercent: 100 },
      burnRates: { oneHour: null, sixHours: null },
    });
  });

  test('of more checks than can be read is refused', async () => {
    for (let n = 0; n <= 1_000; n++) {
      await api.configuration.checks.put(makeCheck('URL', { tags: ['all'] }));
    }
    const slo = await create({ target: { tag: 'all' } });
    expect(await api.call('GET', `/app/slos/${slo.id}/report`)).toMatchObject({
      status: 409,
      body: { message: 'It is of 1001 checks; a report may be of 1000' },
    });
  });
});

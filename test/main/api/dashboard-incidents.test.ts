import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type DashboardIncident,
  MAX_DASHBOARD_INCIDENT_UPDATES,
  MAX_DASHBOARD_INCIDENTS,
} from '#shared/dashboards/dashboard-incident.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
let dashboardId: number;
beforeEach(async () => {
  api = await startApi();
  const { body } = await api.call('POST', '/v1/dashboards', { body: { header: 'All' } });
  dashboardId = (body as { id: number }).id;
});
afterEach(() => api.close());

const FIRST = { status: 'INVESTIGATING', description: 'We look into it.' };
const AT = new Date(NOW).toISOString();

interface Made {
  id: string;
  incidentUpdates: { id: string; status: string }[];
}

const post = (members: object = {}) =>
  api.call('POST', '/v1/incidents', {
    body: { name: 'down', dashboardId, incidentUpdates: [FIRST], ...members },
  });
const made = async (members: object = {}) => (await post(members)).body as Made;
const say = (id: string, status: string, description = 'x') =>
  api.call('POST', `/v1/incidents/${id}/updates`, { body: { status, description } });
const statuses = ({ body }: { body: unknown }) =>
  (body as Made).incidentUpdates.map(({ status }) => status);
const message = ({ body }: { body: unknown }) => (body as { message: string }).message;

test('an incident is created with its first update, and 200', async () => {
  const { status, body } = await post({ startedAt: '2026-01-15T12:00:00+01:00' });
  expect([status, body]).toEqual([
    200,
    {
      id: expect.any(String),
      name: 'down',
      impact: 'MINOR',
      startedAt: '2026-01-15T11:00:00.000Z',
      stoppedAt: null,
      dashboardId,
      incidentUpdates: [{ ...FIRST, id: expect.any(String), created_at: AT, updated_at: null }],
      created_at: AT,
      updated_at: null,
    },
  ]);
  expect((await api.call('GET', `/v1/incidents/${(body as Made).id}`)).body).toEqual(body);
});

test('a read has the newest update, or all of them from the newest on', async () => {
  const { id } = await made();
  const added = await say(id, 'IDENTIFIED');
  expect([added.status, added.body]).toMatchObject([201, { incidentId: id, updated_at: null }]);
  await say(id, 'MAINTENANCE');
  expect(statuses(await api.call('GET', `/v1/incidents/${id}`))).toEqual(['MAINTENANCE']);
  const all = await api.call('GET', `/v1/incidents/${id}?includeAllIncidentUpdates=1`);
  expect(statuses(all)).toEqual(['MAINTENANCE', 'IDENTIFIED', 'INVESTIGATING']);
});

test('a change leaves what it does not name, and answers without the updates', async () => {
  const { incidentUpdates: _, ...before } = await made({ stoppedAt: '2030-01-01T00:00:00Z' });
  const path = `/v1/incidents/${before.id}`;
  const body = { impact: 'MAJOR', stoppedAt: null };
  const { status, body: after } = await api.call('PUT', `${path}?probe=true`, { body });
  expect([status, after]).toEqual([200, { ...before, ...body, updated_at: AT }]);
  expect(statuses(await api.call('GET', path))).toEqual(['INVESTIGATING']);
});

test('an update is corrected and deleted, and the last one stays', async () => {
  const { id, incidentUpdates } = await made();
  const path = `/v1/incidents/${id}/updates`;
  const { id: added } = (await say(id, 'RESOLVED')).body as Made;
  const body = { description: 'It is over.' };
  const edited = await api.call('PUT', `${path}/${added}`, { body });
  expect([edited.status, edited.body]).toMatchObject([
    200,
    { id: added, status: 'RESOLVED', description: 'It is over.', updated_at: AT },
  ]);
  expect((await api.call('DELETE', `${path}/${added}`)).status).toBe(204);
  expect((await api.call('PUT', `${path}/${added}`, { body })).status).toBe(404);
  const last = await api.call('DELETE', `${path}/${incidentUpdates[0]?.id}`);
  expect([last.status, message(last)]).toEqual([
    400,
    'id: expected another one than the only update of the incident',
  ]);
});

test('an incident is deleted with its updates', async () => {
  const { id } = await made();
  expect((await api.call('DELETE', `/v1/incidents/${id}`)).status).toBe(204);
  expect((await api.call('GET', `/v1/incidents/${id}`)).status).toBe(404);
  expect((await say(id, 'RESOLVED')).status).toBe(404);
});

test('an incident of no dashboard, or without exactly one update, is refused', async () => {
  const unknown = await post({ dashboardId: 99 });
  expect([unknown.status, message(unknown)]).toEqual([404, 'No dashboard has the id 99']);
  for (const incidentUpdates of [[], [FIRST, FIRST], [{ ...FIRST, status: 'OVER' }]]) {
    expect((await post({ incidentUpdates })).status).toBe(400);
  }
  expect((await post({ startedAt: 'yesterday' })).status).toBe(400);
});

const stored = (members: Partial<DashboardIncident> = {}): DashboardIncident => ({
  id: randomUUID(),
  name: 'old',
  impact: 'MINOR',
  startedAt: null,
  stoppedAt: null,
  dashboardId,
  incidentUpdates: [
    {
      id: randomUUID(),
      status: 'INVESTIGATING',
      description: 'x',
      created_at: AT,
      updated_at: null,
    },
  ],
  created_at: AT,
  updated_at: null,
  ...members,
});

test('where there are as many as may be, the oldest that is over makes room', async () => {
  const { dashboardIncidents } = api.configuration;
  const over = stored({ stoppedAt: AT });
  const open = Array.from({ length: MAX_DASHBOARD_INCIDENTS - 2 }, () => stored());
  for (const incident of [open[0], over, stored({ stoppedAt: AT }), ...open.slice(1)]) {
    if (incident) await dashboardIncidents.put(incident);
  }
  expect((await post()).status).toBe(200);
  expect(dashboardIncidents.get(over.id)).toBeUndefined();
  expect(dashboardIncidents.size).toBe(MAX_DASHBOARD_INCIDENTS);
  expect((await post()).status).toBe(200);
  const full = await post();
  expect([full.status, message(full)]).toEqual([
    409,
    'There are 1000 incidents already, and none is over',
  ]);
});

test('an incident has a bound of updates', async () => {
  const [update] = stored().incidentUpdates;
  if (update === undefined) throw new Error('no update');
  const incident = stored({
    incidentUpdates: Array.from({ length: MAX_DASHBOARD_INCIDENT_UPDATES }, () => update),
  });
  await api.configuration.dashboardIncidents.put(incident);
  expect((await say(incident.id, 'RESOLVED')).status).toBe(409);
});

test('the zero values of typed clients set nothing', async () => {
  for (const none of ['', null, '0001-01-01T00:00:00Z']) {
    const unset = { impact: '', startedAt: none, stoppedAt: none };
    const created = await post(unset);
    expect([created.status, created.body]).toMatchObject([
      200,
      { impact: 'MINOR', startedAt: null, stoppedAt: null },
    ]);
    const { id } = await made({ impact: 'MAJOR' });
    const changed = await api.call('PUT', `/v1/incidents/${id}`, { body: unset });
    expect([changed.status, changed.body]).toMatchObject([200, { impact: 'MAJOR' }]);
  }
});

test.each(['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+14:00'])(
  '%s, which no ISO date of four digits says in UTC, is refused by name',
  async (startedAt) => {
    const answer = await post({ startedAt });
    expect([answer.status, message(answer)]).toEqual([
      400,
      'startedAt: expected a date of the years 0 to 9999 in UTC',
    ]);
  },
);

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { MAX_INCIDENT_UPDATES } from '#shared/incidents/incident.ts';
import type { PageService } from '#shared/status-pages/page-service.ts';
import { ACCOUNT_ID, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makePageService, makeStatusPage } from '../../fixtures/status-pages.ts';
import { makeIncident, makeUpdate } from '../store/incident-records.ts';

const PATH = '/v1/status-pages/incidents';
const MINUTE = 60_000;
const DAY = 86_400_000;
const UNKNOWN = randomUUID();
const iso = (ms: number) => new Date(ms).toISOString();

let api: Harness;
let service: PageService;
beforeEach(async () => {
  api = await startApi();
  service = makePageService();
  await api.configuration.pageServices.put(service);
});
afterEach(() => api.close());

type Json = Record<string, unknown>;
interface Incident extends Json {
  id: string;
  incidentUpdates: (Json & { id: string })[];
}
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;
const leastOf = (services: object[] = [service]) => ({
  name: 'Checkout is down',
  severity: 'MAJOR',
  services,
  incidentUpdates: [{ description: 'We look into it.' }],
});
const create = (members: object = {}) =>
  api.call('POST', PATH, { body: { ...leastOf(), ...members } });
const created = async (members: object = {}) => (await create(members)).body as Incident;
const addUpdate = (id: string, body: object) =>
  api.call('POST', `${PATH}/${id}/incident-updates`, { body });
const read = async (id: string) => (await api.call('GET', `${PATH}/${id}`)).body as Incident;

describe('an incident', () => {
  test('is opened, read, changed and deleted', async () => {
    const answer = await create();
    const { id, incidentUpdates } = answer.body as Incident;
    const [first] = incidentUpdates;
    const incident = {
      id,
      name: 'Checkout is down',
      severity: 'MAJOR',
      services: [{ ...service, accountId: ACCOUNT_ID }],
      incidentUpdates: [
        {
          id: first?.id,
          description: 'We look into it.',
          status: 'INVESTIGATING',
          publicIncidentUpdateDate: iso(NOW),
          notifySubscribers: false,
          created_at: iso(NOW),
        },
      ],
      lastUpdateStatus: 'INVESTIGATING',
      duration: 0,
      created_at: iso(NOW),
      updated_at: iso(NOW),
    };
    expect([answer.status, answer.body]).toEqual([201, incident]);
    await api.clock.advance(1_500);
    expect(await read(id)).toEqual({ ...incident, duration: 2 });
    const body = { name: 'Slow', severity: 'MINOR', services: [{ id: service.id.toUpperCase() }] };
    const ignored = { lastUpdateStatus: 'RESOLVED', created_at: iso(0), incidentUpdates: [] };
    const changed = await api.call('PUT', `${PATH}/${id}`, { body: { ...body, ...ignored } });
    const after = { ...incident, name: 'Slow', severity: 'MINOR', duration: 2 };
    expect(changed.body).toEqual({ ...after, updated_at: iso(NOW + 1_500) });
    const patched = await api.call('PATCH', `${PATH}/${id}`, { body: { severity: 'CRITICAL' } });
    expect(patched.body).toMatchObject({ name: 'Slow', severity: 'CRITICAL' });
    expect((await api.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const gone = await api.call(method, `${PATH}/${id}`);
      expect([gone.status, message(gone)]).toEqual([404, `No incident has the id ${id}`]);
    }
    expect((await api.call('GET', PATH)).body).toEqual({ length: 0, entries: [], nextId: null });
    const stored = api.history.ofIncidents.incidents.get(id);
    expect(JSON.stringify(stored)).not.toMatch(/look into it|Checkout|Slow/);
  });

  test('has each service once, looked up by its id whatever else the body says', async () => {
    const other = makePageService({ name: 'Search' });
    await api.configuration.pageServices.put(other);
    const lie = { id: service.id, name: 'a lie', accountId: UNKNOWN };
    const { services } = await created({ services: [other, lie, { id: service.id }] });
    expect(services).toMatchObject([{ name: 'Search' }, { name: 'Checkout' }]);
  });

  test('shows services as they are called now, and one that is gone as it was called last', async () => {
    const { id } = await created();
    await api.configuration.pageServices.put({ ...service, name: 'Shop' });
    expect((await read(id)).services).toMatchObject([{ name: 'Shop' }]);
    await api.configuration.pageServices.delete(service.id);
    expect((await read(id)).services).toMatchObject([{ id: service.id, name: 'Checkout' }]);
    const kept = await api.call('PUT', `${PATH}/${id}`, { body: leastOf() });
    expect(kept.status).toBe(200);
  });

  test('is listed newest first, by cursor', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await created()).id);
    const page = async (query: string) => {
      const { body } = await api.call('GET', `${PATH}?${query}`);
      return body as { length: number; entries: Incident[]; nextId: string | null };
    };
    const first = await page('limit=2');
    expect(first.entries.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    await api.call('DELETE', `${PATH}/${ids[1]}`);
    const second = await page(`limit=2&nextId=${first.nextId}`);
    expect(second.entries.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const last = await page(`limit=2&nextId=${second.nextId}`);
    expect([last.length, last.nextId]).toEqual([1, null]);
  });

  test.each<[string, object, string]>([
    [
      'nothing',
      { name: undefined, severity: undefined, services: undefined, incidentUpdates: undefined },
      'name: expected a string, got nothing; ' +
        'severity: expected "CRITICAL", "MAJOR", "MEDIUM" or "MINOR", got nothing; ' +
        'services: expected a list, got nothing; incidentUpdates: expected a list, got nothing',
    ],
    [
      'a name of 256',
      { name: 'x'.repeat(256) },
      'name: expected at most 255 characters, got 256 characters',
    ],
    [
      'a name of two lines',
      { name: 'Down\r\nBcc: x' },
      'name: expected a name without control characters',
    ],
    ['no services', { services: [] }, 'services: expected at least 1 item, got 0 items'],
    [
      'too many services',
      { services: Array.from({ length: 201 }, () => ({ id: UNKNOWN })) },
      'services: expected at most 200 items, got 201 items',
    ],
    [
      'services that there are not',
      { services: [{ id: UNKNOWN }, { id: 'x' }] },
      'services.1.id: expected a UUID, got "x"',
    ],
    [
      'a service that there is not',
      { services: [{ id: UNKNOWN }] },
      `services.0.id: no status-page service ${UNKNOWN} exists`,
    ],
    ['no update', { incidentUpdates: [] }, 'incidentUpdates: expected exactly 1 item, got 0 items'],
    [
      'two updates',
      { incidentUpdates: [{ description: 'a' }, { description: 'b' }] },
      'incidentUpdates: expected exactly 1 item, got 2 items',
    ],
    [
      'an empty update',
      { incidentUpdates: [{ description: '' }] },
      'incidentUpdates.0.description: expected at least 1 character, got ""',
    ],
    [
      'an update that is too long',
      { incidentUpdates: [{ description: 'x'.repeat(10_001) }] },
      'incidentUpdates.0.description: expected at most 10000 characters, got 10001 characters',
    ],
    [
      'a status that there is not',
      { incidentUpdates: [{ description: 'a', status: 'FINE' }] },
      'incidentUpdates.0.status: expected "INVESTIGATING", "IDENTIFIED", "MONITORING" or "RESOLVED", got "FINE"',
    ],
    [
      'a date more than a day ahead',
      { incidentUpdates: [{ description: 'a', publicIncidentUpdateDate: iso(NOW + DAY + 1) }] },
      'incidentUpdates.0.publicIncidentUpdateDate: expected a date no later than a day from now',
    ],
    [
      'a date of another age',
      { incidentUpdates: [{ description: 'a', publicIncidentUpdateDate: '1999-12-31T23:59:59Z' }] },
      'incidentUpdates.0.publicIncidentUpdateDate: expected a date no earlier than the year 2000',
    ],
    [
      'what is no date',
      { incidentUpdates: [{ description: 'a', publicIncidentUpdateDate: 'tomorrow' }] },
      'incidentUpdates.0.publicIncidentUpdateDate: expected an ISO 8601 date and time, got "tomorrow"',
    ],
  ])('with %s is refused', async (_, members, expected) => {
    const answer = await create(members);
    expect([answer.status, message(answer)]).toEqual([400, expected]);
    expect(api.history.ofIncidents.incidents.size).toBe(0);
  });

  test('is refused while a thousand are open', async () => {
    const incidents = Array.from({ length: 1_000 }, () => makeIncident({ createdAt: NOW }));
    await api.history.write({ incidents });
    const answer = await create();
    expect([answer.status, message(answer)]).toEqual([
      409,
      'There are 1000 open incidents already',
    ]);
  });

  test('is opened by people however many checks have opened theirs', async () => {
    const { checks } = api.configuration;
    const opened = await Promise.all(
      ['1', '2'].map(async (digit) => {
        const check = makeCheck('URL', { id: `4c0f6a52-8f0e-4a57-9d53-00000000000${digit}` });
        await checks.put(check);
        const automation = { checkId: check.id, notifySubscribers: false };
        return makeIncident({ createdAt: NOW, automation });
      }),
    );
    const others = Array.from({ length: 999 }, () => makeIncident({ createdAt: NOW }));
    await api.history.write({ incidents: [...opened, ...others] });
    await api.automation.incidents.start();
    expect([(await create()).status, (await create()).status]).toEqual([201, 409]);
  });

  test.each(['PUT', 'PATCH'])('%s refuses an empty list of services', async (method) => {
    const { id } = await created();
    const body = { ...leastOf(), services: [] };
    const answer = await api.call(method, `${PATH}/${id}`, { body });
    expect(message(answer)).toBe('services: expected at least 1 item, got 0 items');
  });

  test('keeps what a failing store could not write as it was', async () => {
    const { id } = await created();
    const incident = await read(id);
    const { write } = api.history;
    api.history.write = () => Promise.reject(new Error('the disk is full'));
    expect((await api.call('PATCH', `${PATH}/${id}`, { body: { name: 'x' } })).status).toBe(500);
    api.history.write = write;
    expect(await read(id)).toEqual(incident);
  });
});

describe('updates', () => {
  test('are added, listed newest first, read, corrected and deleted', async () => {
    const { id, incidentUpdates } = await created();
    const firstId = incidentUpdates[0]?.id ?? '';
    await api.clock.advance(MINUTE);
    const added = await addUpdate(id, { description: 'Found it.', status: 'IDENTIFIED' });
    const update = {
      id: (added.body as Incident).id,
      description: 'Found it.',
      status: 'IDENTIFIED',
      publicIncidentUpdateDate: iso(NOW + MINUTE),
      notifySubscribers: false,
      created_at: iso(NOW + MINUTE),
    };
    expect([added.status, added.body]).toEqual([200, update]);
    const updates = `${PATH}/${id}/incident-updates`;
    const one = `${updates}/${update.id}`;
    expect((await api.call('GET', updates)).body).toEqual([update, ...incidentUpdates]);
    expect((await api.call('GET', one)).body).toEqual(update);
    const corrected = await api.call('PUT', one, { body: { description: 'It was DNS.' } });
    expect(corrected.body).toEqual({ ...update, description: 'It was DNS.' });
    const body = { description: 'x', status: 'RESOLVED', publicIncidentUpdateDate: iso(NOW + 5) };
    const moved = await api.call('PUT', one, { body });
    expect(moved.body).toEqual({ ...update, ...body });
    expect((await api.call('DELETE', one)).status).toBe(204);
    const missing = await api.call('GET', one);
    expect(message(missing)).toBe(`The incident ${id} has no update ${update.id}`);
    for (const method of ['DELETE', 'PUT']) {
      expect((await api.call(method, one, { body: { description: 'x' } })).status).toBe(404);
    }
    const last = await api.call('DELETE', `${updates}/${firstId}`);
    expect([last.status, message(last)]).toEqual([409, 'It is the only update of the incident']);
  });

  test.each<[string, { at: number; status?: string }[], object]>([
    ['only one', [], { lastUpdateStatus: 'INVESTIGATING', duration: 600 }],
    ['an end', [{ at: 2, status: 'RESOLVED' }], { lastUpdateStatus: 'RESOLVED', duration: 120 }],
    [
      'a second end, which extends nothing',
      [
        { at: 2, status: 'RESOLVED' },
        { at: 5, status: 'RESOLVED' },
      ],
      { lastUpdateStatus: 'RESOLVED', duration: 120 },
    ],
    [
      'a new beginning',
      [
        { at: 2, status: 'RESOLVED' },
        { at: 4, status: 'INVESTIGATING' },
      ],
      { lastUpdateStatus: 'INVESTIGATING', duration: 600 },
    ],
    [
      'a new beginning and an end',
      [
        { at: 2, status: 'RESOLVED' },
        { at: 4, status: 'MONITORING' },
        { at: 6, status: 'RESOLVED' },
      ],
      { lastUpdateStatus: 'RESOLVED', duration: 360 },
    ],
    [
      'one of before that comes late',
      [
        { at: 6, status: 'RESOLVED' },
        { at: 4, status: 'IDENTIFIED' },
      ],
      { lastUpdateStatus: 'RESOLVED', duration: 360 },
    ],
    [
      'one of before the first',
      [{ at: -5, status: 'IDENTIFIED' }],
      { lastUpdateStatus: 'INVESTIGATING', duration: 900 },
    ],
    ['one without a status', [{ at: 3 }], { lastUpdateStatus: 'INVESTIGATING', duration: 600 }],
    [
      'one without a status after an end',
      [{ at: 2, status: 'RESOLVED' }, { at: 3 }],
      { lastUpdateStatus: 'RESOLVED', duration: 120 },
    ],
    [
      'one without a status from before an end',
      [{ at: 6, status: 'RESOLVED' }, { at: 3 }],
      { lastUpdateStatus: 'RESOLVED', duration: 360 },
    ],
  ])('with %s say where the incident stands', async (_, updates, expected) => {
    const { id } = await created();
    await api.clock.advance(10 * MINUTE);
    for (const { at, status } of updates) {
      const publicIncidentUpdateDate = iso(NOW + at * MINUTE);
      await addUpdate(id, { description: 'x', status, publicIncidentUpdateDate });
    }
    expect(await read(id)).toMatchObject(expected);
  });

  test('take dates with an offset, without one, and of clients that set none', async () => {
    const { id } = await created();
    const dateOf = async (publicIncidentUpdateDate: unknown) => {
      const { body } = await addUpdate(id, { description: 'x', publicIncidentUpdateDate });
      return (body as Incident).publicIncidentUpdateDate;
    };
    expect(await dateOf('2026-01-15T13:00:00+02:00')).toBe('2026-01-15T11:00:00.000Z');
    expect(await dateOf('2026-01-15T11:00:00')).toBe('2026-01-15T11:00:00.000Z');
    for (const none of ['', null, '0001-01-01T00:00:00Z'])
      expect(await dateOf(none)).toBe(iso(NOW));
  });

  test.each<[object, string]>([
    [{}, 'description: expected a string, got nothing'],
    [
      { description: 'x', publicIncidentUpdateDate: iso(NOW + DAY + 1) },
      'publicIncidentUpdateDate: expected a date no later than a day from now',
    ],
  ])('like %j are refused', async (body, expected) => {
    const { id, incidentUpdates } = await created();
    const one = `${PATH}/${id}/incident-updates/${incidentUpdates[0]?.id}`;
    for (const answer of [await addUpdate(id, body), await api.call('PUT', one, { body })]) {
      expect([answer.status, message(answer)]).toEqual([400, expected]);
    }
    expect((await read(id)).incidentUpdates).toEqual(incidentUpdates);
  });

  test('are two hundred at most', async () => {
    const updates = Array.from({ length: MAX_INCIDENT_UPDATES }, () =>
      makeUpdate({ createdAt: NOW }),
    );
    const incident = makeIncident({ createdAt: NOW, updates });
    await api.history.write({ incidents: [incident] });
    const answer = await addUpdate(incident.id, { description: 'one more' });
    expect([answer.status, message(answer)]).toEqual([409, 'The incident has 200 updates already']);
  });

  test('are refused where they are too long together', async () => {
    const long = 'a'.repeat(10_000);
    const updates = Array.from({ length: 10 }, () => makeUpdate({ description: long }));
    const incident = makeIncident({ updates });
    await api.history.write({ incidents: [incident] });
    const expected = 'The updates of the incident would have 100001 of at most 100000 characters';
    const added = await addUpdate(incident.id, { description: 'b' });
    expect([added.status, message(added)]).toEqual([409, expected]);
    const [first, second] = updates;
    const path = `${PATH}/${incident.id}/incident-updates`;
    const edit = (id: string | undefined, description: string) =>
      api.call('PUT', `${path}/${id}`, { body: { description } });
    expect((await edit(first?.id, long.slice(1))).status).toBe(200);
    expect((await addUpdate(incident.id, { description: 'b' })).status).toBe(200);
    expect((await edit(first?.id, long)).status).toBe(409);
    expect((await edit(second?.id, 'c')).status).toBe(200);
  });

  test('that are added at once are all there', async () => {
    const { id } = await created();
    const find = api.history.findIncident.bind(api.history);
    api.history.findIncident = async (incidentId) => {
      const found = await find(incidentId);
      await new Promise((resolve) => setTimeout(resolve));
      return found;
    };
    const added = ['a', 'b', 'c', 'd'].map((description) => addUpdate(id, { description }));
    await Promise.all(added);
    expect((await read(id)).incidentUpdates).toHaveLength(5);
  });
});

describe('mailings', () => {
  const news = { description: 'Found it.', notifySubscribers: true };
  const mailings = () => [...api.history.ofIncidents.mailings.values()];

  test('are written and sent when an update that is for subscribers is posted, never for a correction', async () => {
    const [page, other] = [makeStatusPage([service]), makeStatusPage([makePageService()])];
    for (const one of [page, other]) await api.configuration.statusPages.put(one);
    const { id, incidentUpdates } = await created({ incidentUpdates: [news] });
    const first = incidentUpdates[0]?.id ?? '';
    expect(mailings()).toMatchObject([
      { key: `incident update ${first}`, pageIds: [page.id], content: { isFirst: true } },
    ]);
    await api.configuration.pageServices.put({ ...service, name: 'Shop' });
    await addUpdate(id, { description: 'Not for mails.' });
    const added = (await addUpdate(id, news)).body as Incident;
    await api.call('PUT', `${PATH}/${id}/incident-updates/${first}`, { body: news });
    await api.call('PATCH', `${PATH}/${id}`, { body: { name: 'Another' } });
    expect(mailings()).toMatchObject([
      { content: { updateId: first } },
      {
        content: {
          updateId: added.id,
          isFirst: false,
          status: 'INVESTIGATING',
          services: [{ name: 'Shop' }],
        },
      },
    ]);
    expect(api.automation.mailed).toEqual(mailings());
  });

  test('are none where no page shows a service of the incident', async () => {
    await created({ incidentUpdates: [news] });
    expect(mailings()).toEqual([]);
  });

  test('are not sent where the update was not written', async () => {
    await api.configuration.statusPages.put(makeStatusPage([service]));
    api.history.write = () => Promise.reject(new Error('the disk is full'));
    expect((await create({ incidentUpdates: [news] })).status).toBe(500);
    expect(api.automation.mailed).toEqual([]);
  });
});

describe('an incident of automation', () => {
  let incident: StoredIncident;
  beforeEach(async () => {
    const automation = { checkId: UNKNOWN, notifySubscribers: false };
    incident = makeIncident({ createdAt: NOW, automation });
    await api.history.write({ incidents: [incident] });
    await api.configuration.checks.put({ id: UNKNOWN } as never);
    await api.automation.incidents.start();
  });
  const held = () => api.automation.incidents.find(incident.id);

  test('stays one when a person changes its name, severity or services', async () => {
    await api.call('PATCH', `${PATH}/${incident.id}`, { body: { severity: 'MINOR' } });
    expect(held()).toMatchObject({
      revision: 2,
      severity: 'MINOR',
      automation: { checkId: UNKNOWN },
    });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['adds an update', () => addUpdate(incident.id, { description: 'We know.' })],
    [
      'corrects an update',
      () =>
        api.call('PUT', `${PATH}/${incident.id}/incident-updates/${incident.updates[0]?.id}`, {
          body: { description: 'We know.' },
        }),
    ],
    ['deletes it', () => api.call('DELETE', `${PATH}/${incident.id}`)],
  ])('is left to people once one %s', async (_, act) => {
    await act();
    expect(held()).toBeUndefined();
    const stored = api.history.ofIncidents.incidents.get(incident.id);
    expect(stored).toMatchObject({ revision: 2, automation: null });
  });

  test('is automation’s again where a person’s change was not written', async () => {
    const { write } = api.history;
    api.history.write = () => Promise.reject(new Error('the disk is full'));
    expect((await addUpdate(incident.id, { description: 'We know.' })).status).toBe(500);
    api.history.write = write;
    expect(held()).toMatchObject({ updates: incident.updates, automation: { checkId: UNKNOWN } });
  });
});

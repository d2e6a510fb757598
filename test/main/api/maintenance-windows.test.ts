import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { MaintenanceCalendar, maintenanceOf } from '#shared/maintenance/maintenance-rules.ts';
import { MAX_WINDOWS, type MaintenanceWindow } from '#shared/maintenance/window.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makePageService, makeStatusPage } from '../../fixtures/status-pages.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const PATH = '/v1/maintenance-windows';
const LEAST = {
  name: 'Release',
  startsAt: '2026-03-29T02:30:00.000Z',
  endsAt: '2026-03-29T04:00:00.000Z',
};
const VISIBILITY = {
  enabled: false,
  severity: null,
  affectAllServices: false,
  notifyOnStart: false,
  notifyOnEnd: false,
  suppressAutoIncidents: false,
  reminderMinutesBefore: [],
  autoStart: true,
  autoEnd: true,
  showAffectedServices: true,
  statusPageIds: [],
  serviceIds: [],
};
const SERVICE = '2f0c3cde-5b3e-4f0c-9a51-0d4f2b7c9e10';
const create = (members: object = {}) => api.call('POST', PATH, { body: { ...LEAST, ...members } });
const change = (members: object) => api.call('PUT', `${PATH}/1`, { body: members });
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;

test('a window names services and pages; a page that was deleted since may stay named, not come', async () => {
  const { pageServices, statusPages } = api.configuration;
  const service = makePageService();
  const [page, other] = [makeStatusPage([service]), makeStatusPage([service])];
  await pageServices.put(service);
  for (const one of [page, other]) await statusPages.put(one);
  const statusPageVisibility = { serviceIds: [service.id], statusPageIds: [page.id] };
  expect(await create({ statusPageVisibility })).toMatchObject({
    status: 201,
    body: { statusPageVisibility },
  });
  for (const { id } of [page, other]) await statusPages.delete(id);
  expect((await change({ statusPageVisibility })).status).toBe(200);
  const withOther = { ...statusPageVisibility, statusPageIds: [other.id] };
  expect(message(await change({ statusPageVisibility: withOther }))).toBe(
    `statusPageVisibility.statusPageIds.0: no status page ${other.id} exists`,
  );
});

test('a window is created, read, changed and deleted', async () => {
  const at = new Date(NOW).toISOString();
  const window = {
    id: 1,
    ...LEAST,
    tags: [],
    repeatInterval: null,
    repeatUnit: null,
    repeatEndsAt: null,
    timezone: null,
    pauseAllChecks: false,
    silenceAlertsTags: [],
    silenceAllAlerts: false,
    description: null,
    statusPageVisibility: VISIBILITY,
    created_at: at,
    updated_at: null,
    projectBindings: { owner: null, references: [] },
  };
  const created = await create();
  expect([created.status, created.body]).toEqual([201, window]);
  expect((await api.call('GET', `${PATH}/1`)).body).toEqual(window);
  const changed = await change({ tags: ['api'], pauseAllChecks: true });
  const after = { ...window, tags: ['api'], pauseAllChecks: true, updated_at: at };
  expect([changed.status, changed.body]).toEqual([200, after]);
  expect((await api.call('GET', PATH)).body).toEqual([after]);
  expect((await api.call('DELETE', `${PATH}/1`)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) {
    expect((await api.call(method, `${PATH}/1`)).status).toBe(404);
  }
  expect((await change({ name: 'x' })).status).toBe(404);
  expect((await create()).body).toMatchObject({ id: 2 });
});

test.each([
  ['2026-03-29T02:30:00Z', '2026-03-29T06:00:00.000+02:00', null],
  ['2026-03-29', '2026-03-30', '2026-12-31'],
  ['2026-03-29T02:30:00', '2026-03-29T04:00', '2026-12-31T00:00:00.000Z'],
])('dates are answered as they came: %s, %s, %s', async (startsAt, endsAt, repeatEndsAt) => {
  const dates = { startsAt, endsAt, repeatEndsAt };
  expect((await create({ ...dates, timezone: 'UTC' })).body).toMatchObject(dates);
  expect((await api.call('GET', `${PATH}/1`)).body).toMatchObject(dates);
});

test('the list comes in pages with the total, of the windows that the filters let through', async () => {
  for (let day = 10; day < 22; day++) {
    await create({ startsAt: `2026-03-${day}`, endsAt: `2026-03-${day + 1}` });
  }
  const first = await api.call('GET', PATH);
  expect(first.headers.get('content-range')).toBe('0-9/12');
  const later = await api.call('GET', `${PATH}?startsAt=2026-03-20`);
  expect((later.body as { id: number }[]).map(({ id }) => id)).toEqual([11, 12]);
  const seconds = Date.parse('2026-03-12T00:00:00Z') / 1_000;
  const earlier = await api.call('GET', `${PATH}?endsAt=${seconds}&limit=1`);
  expect(earlier.headers.get('content-range')).toBe('0-0/2');
  expect((await api.call('GET', `${PATH}?startsAt=soon`)).status).toBe(400);
});

test.each([
  ['startsAt[gt]=2026-03-12', [3, 4]],
  ['startsAt[gte]=2026-03-12', [2, 3, 4]],
  ['startsAt[lt]=2026-03-12', [1]],
  ['startsAt%5Blte%5D=2026-03-12T00:00:00.000Z', [1, 2]],
  ['endsAt[gt]=2026-03-13', [3, 4]],
  ['endsAt[gte]=2026-03-13', [2, 3, 4]],
  ['endsAt[lt]=2026-03-13', [1]],
  ['endsAt[lte]=2026-03-13', [1, 2]],
  ['startsAt[gte]=2026-03-12&endsAt[lt]=2026-03-14', [2]],
])('the list with %s has the windows %j', async (query, ids) => {
  for (const day of [11, 12, 13, 14]) {
    await create({ startsAt: `2026-03-${day}`, endsAt: `2026-03-${day + 1}` });
  }
  const listed = await api.call('GET', `${PATH}?${query}`);
  expect((listed.body as { id: number }[]).map(({ id }) => id)).toEqual(ids);
  const wrong = await api.call('GET', `${PATH}?${query.replaceAll(/=[^&]+/g, '=x')}`);
  expect([wrong.status, message(wrong)]).toEqual([
    400,
    expect.stringMatching(/^(starts|ends)At\[\w+\]: expected a UNIX timestamp/),
  ]);
});

test('a window that ends when it starts is kept, and never opens', async () => {
  const at = new Date(NOW).toISOString();
  const body = { startsAt: at, endsAt: at, pauseAllChecks: true };
  const repeated = await create({ ...body, repeatUnit: 'DAY', repeatInterval: 1 });
  expect([repeated.status, repeated.body]).toMatchObject([201, body]);
  expect((await change(body)).status).toBe(200);
  const [window] = api.configuration.maintenanceWindows.all();
  if (window === undefined) throw new Error('The window was not kept');
  const DAY_MS = 86_400_000;
  for (const ms of [-1, 0, 1, DAY_MS - 1, DAY_MS, DAY_MS + 1]) {
    const calendar = new MaintenanceCalendar([window]);
    expect(maintenanceOf([], calendar, NOW + ms)).toEqual({
      paused: false,
      silenced: false,
      until: null,
    });
  }
  const { body: occurrences } = await api.call('GET', `${PATH}/1/maintenances?limit=2`);
  expect(occurrences).toMatchObject([{ status: 'COMPLETED' }, { status: 'SCHEDULED' }]);
});

describe('what is wrong is told, each with its place', () => {
  test.each<[string, object, string]>([
    [
      'no dates',
      { startsAt: undefined, endsAt: 7 },
      'startsAt: expected a string, got nothing; endsAt: expected a string, got 7',
    ],
    [
      'not a date, and none of the calendar',
      { startsAt: 'tomorrow', endsAt: '2026-02-30' },
      'startsAt: expected an ISO 8601 date and time or an ISO 8601 date, got "tomorrow"; ' +
        'endsAt: expected an ISO 8601 date and time or an ISO 8601 date, got "2026-02-30"',
    ],
    [
      'over before it begins on the clock of its zone',
      { startsAt: '2026-03-29T02:30:00', timezone: 'America/New_York' },
      'endsAt: expected a moment not before startsAt',
    ],
    [
      'a repeat of no interval',
      { repeatUnit: 'DAY' },
      'repeatInterval: expected a whole number from 1 to 365 beside a repeatUnit',
    ],
    [
      'an unknown unit and an interval too long',
      { repeatUnit: 'YEAR', repeatInterval: 366 },
      'repeatInterval: expected a whole number from 1 to 365, got 366; ' +
        'repeatUnit: expected "DAY", "WEEK" or "MONTH", got "YEAR"',
    ],
    [
      'an end before the start',
      { repeatUnit: 'DAY', repeatInterval: 1, repeatEndsAt: '2026-03-28' },
      'repeatEndsAt: expected a day not before 2026-03-29, on which the first occurrence starts',
    ],
    [
      'all services and some of them',
      { statusPageVisibility: { affectAllServices: true, serviceIds: [SERVICE] } },
      'statusPageVisibility.serviceIds: expected none beside affectAllServices',
    ],
    [
      'pages and no service',
      { statusPageVisibility: { statusPageIds: [SERVICE] } },
      'statusPageVisibility.statusPageIds: expected serviceIds or affectAllServices beside them',
    ],
    [
      'pages and services that there are not',
      { statusPageVisibility: { statusPageIds: [SERVICE], serviceIds: [SERVICE] } },
      `statusPageVisibility.serviceIds.0: no status-page service ${SERVICE} exists; ` +
        `statusPageVisibility.statusPageIds.0: no status page ${SERVICE} exists`,
    ],
    [
      'reminders too early, too late and too many',
      { statusPageVisibility: { reminderMinutesBefore: [59] } },
      'statusPageVisibility.reminderMinutesBefore.0: expected a whole number from 60 to 10080, got 59',
    ],
    [
      'much at once',
      { name: 'x'.repeat(201), endsAt: '2020-01-01', timezone: 'Mars/Base', repeatUnit: 'WEEK' },
      'name: expected at most 200 characters, got 201 characters; ' +
        'timezone: expected an IANA time zone, such as "Europe/Berlin", and no fixed offset; ' +
        'endsAt: expected a moment not before startsAt; ' +
        'repeatInterval: expected a whole number from 1 to 365 beside a repeatUnit',
    ],
  ])('%s', async (_name, members, expected) => {
    const answer = await create(members);
    expect([answer.status, message(answer)]).toEqual([400, expected]);
    expect(api.configuration.maintenanceWindows.size).toBe(0);
  });

  test.each(['+02:00', '-05', 'Z', '', 'Europe/Atlantis', 'Europe/Berlin\n', '2026-01-01[UTC]'])(
    'the time zone %j is refused',
    async (timezone) => {
      const answer = await create({ timezone });
      expect([answer.status, message(answer)]).toEqual([
        400,
        'timezone: expected an IANA time zone, such as "Europe/Berlin", and no fixed offset',
      ]);
    },
  );

  test.each(['UTC', 'Europe/Kyiv', 'America/Argentina/Ushuaia', 'Australia/Lord_Howe'])(
    'the time zone %s is taken',
    async (timezone) => expect((await create({ timezone })).body).toMatchObject({ timezone }),
  );
});

test('a change is held against what stays', async () => {
  await create();
  const wrong = await change({ endsAt: '2026-03-29T02:00:00Z', tags: 'api' });
  expect([wrong.status, message(wrong)]).toEqual([
    400,
    'tags: expected a list, got "api"; endsAt: expected a moment not before startsAt',
  ]);
  expect((await change({ repeatUnit: 'DAY' })).status).toBe(400);
  const statusPageVisibility = { serviceIds: [SERVICE] };
  expect((await change({ statusPageVisibility })).status).toBe(400);
  const whole = { startsAt: '2026-03-28T02:00:00Z', endsAt: '2026-03-29T02:00:00Z' };
  expect((await change(whole)).body).toMatchObject({ ...LEAST, ...whole });
});

test('two changes at once do not make a window that neither asked for', async () => {
  await create({ endsAt: '2026-03-29T06:00:00Z' });
  const { maintenanceWindows } = api.configuration;
  const put = maintenanceWindows.put.bind(maintenanceWindows);
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  maintenanceWindows.put = async (window) => {
    entered.resolve();
    await gate.promise;
    await put(window);
  };
  const first = change({ startsAt: '2026-03-29T05:00:00Z' });
  await entered.promise;
  const second = change({ endsAt: '2026-03-29T04:00:00Z' });
  // Another request goes all the way meanwhile.
  expect((await api.call('GET', `${PATH}/1`)).status).toBe(200);
  gate.resolve();
  expect([(await first).status, (await second).status]).toEqual([200, 400]);
});

test('the only occurrence may be on the last day', async () => {
  const repeat = { repeatUnit: 'DAY', repeatInterval: 1, repeatEndsAt: '2026-03-29' };
  expect((await create(repeat)).status).toBe(201);
});

test('visibility is answered as it came, also of a hidden window, and null is an empty list', async () => {
  const manual = { autoStart: false, autoEnd: false };
  const lists = { statusPageIds: null, serviceIds: null, reminderMinutesBefore: null };
  const hidden = await create({ statusPageVisibility: { ...manual, ...lists } });
  expect(hidden.body).toMatchObject({ statusPageVisibility: { ...VISIBILITY, ...manual } });
  const shown = { enabled: true, severity: 'MAJOR', ...manual };
  expect((await change({ statusPageVisibility: shown })).body).toMatchObject({
    statusPageVisibility: { ...VISIBILITY, ...shown },
  });
});

test('there is a bound on windows', async () => {
  await create();
  const window = api.configuration.maintenanceWindows.get('1') as MaintenanceWindow;
  for (let id = 2; id <= MAX_WINDOWS; id++) {
    await api.configuration.maintenanceWindows.put({ ...window, id: String(id) });
  }
  expect((await create()).status).toBe(409);
});

test('the zero values of typed clients make a window that opens once', async () => {
  const visibility = { severity: '', reminderMinutesBefore: null, statusPageIds: null };
  for (const repeatEndsAt of ['', null, '0001-01-01T00:00:00Z', '0001-01-01T00:00:00']) {
    const unset = { repeatUnit: '', repeatInterval: 0, repeatEndsAt };
    expect(await create({ ...unset, statusPageVisibility: visibility })).toMatchObject({
      status: 201,
      body: {
        repeatUnit: null,
        repeatInterval: null,
        repeatEndsAt: null,
        statusPageVisibility: VISIBILITY,
      },
    });
  }
  expect(message(await create({ repeatUnit: 'DAY', repeatInterval: 0 }))).toBe(
    'repeatInterval: expected a whole number from 1 to 365 beside a repeatUnit',
  );
});

test('a date that no ISO date of four digits says in UTC is refused by name', async () => {
  expect(message(await create({ endsAt: '9999-12-31T23:59:59-23:59' }))).toBe(
    'endsAt: expected a date of the years 0 to 9999 in UTC',
  );
});

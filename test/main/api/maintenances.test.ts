import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { MAX_UPDATES } from '#shared/maintenance/maintenance.ts';
import { maintenanceId } from '#shared/maintenance/maintenance-id.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const PATH = '/v1/maintenance-windows/1/maintenances';
const iso = (ms: number) => new Date(ms).toISOString();
const HOUR = 3_600_000;
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;

interface Maintenance {
  id: string;
  startsAt: string;
  endsAt: string;
  status: string;
  updates: { id: string; status: string }[];
}

/** A window of two hours that begins so long after the present. */
async function create(startsInMs: number, members: object = {}): Promise<void> {
  const body = {
    name: 'Release',
    startsAt: iso(NOW + startsInMs),
    endsAt: iso(NOW + startsInMs + 2 * HOUR),
    ...members,
  };
  expect((await api.call('POST', '/v1/maintenance-windows', { body })).status).toBe(201);
}

const WEEKLY = { repeatUnit: 'WEEK', repeatInterval: 1 };
const list = async (query = '') => (await api.call('GET', `${PATH}${query}`)).body as Maintenance[];
const read = async (id: string) => (await api.call('GET', `${PATH}/${id}`)).body as Maintenance;
const say = (id: string, status: string) =>
  api.call('POST', `${PATH}/${id}/updates`, { body: { status, description: `Now ${status}` } });

/** The id of the first occurrence that is listed. */
async function firstId(): Promise<string> {
  return (await list())[0]?.id ?? '';
}

test('the occurrences of a window are computed, a page at a time, and nothing is kept', async () => {
  await create(HOUR, WEEKLY);
  const kept = api.configuration.maintenanceWindows.get('1');
  const answer = await api.call('GET', `${PATH}?limit=2`);
  expect(answer.headers.get('content-range')).toBe('0-1/53');
  const maintenance = {
    id: maintenanceId('1', NOW + HOUR),
    maintenanceWindowId: 1,
    startsAt: iso(NOW + HOUR),
    endsAt: iso(NOW + 3 * HOUR),
    status: 'SCHEDULED',
    created_at: iso(NOW),
    updated_at: iso(NOW),
    updates: [],
  };
  expect((answer.body as Maintenance[])[0]).toEqual(maintenance);
  expect(await read(maintenance.id)).toEqual(maintenance);
  expect((await api.call('GET', `${PATH}?limit=51`)).status).toBe(400);
  expect(api.configuration.maintenanceWindows.get('1')).toBe(kept);
});

test.each([
  ['ten years ago', -87_600 * HOUR, 'COMPLETED'],
  ['now', 0, 'IN_PROGRESS'],
  ['in ten years', 87_600 * HOUR, 'SCHEDULED'],
])('a single one %s is listed too', async (_name, startsInMs, status) => {
  await create(startsInMs);
  expect((await list()).map((one) => one.status)).toEqual([status]);
});

test('one that is open for longer than a month is listed, also beside the next', async () => {
  const endsAt = iso(NOW + 24 * HOUR);
  await create(-40 * 24 * HOUR, { endsAt, repeatUnit: 'DAY', repeatInterval: 200 });
  expect((await list()).map(({ status }) => status)).toEqual([
    'IN_PROGRESS',
    'SCHEDULED',
    'SCHEDULED',
  ]);
});

test.each([
  [false, 'IN_PROGRESS', 'COMPLETED'],
  [true, 'SCHEDULED', 'SCHEDULED'],
])('people start and end one where it is shown: %s', async (enabled, during, after) => {
  await create(0, { statusPageVisibility: { enabled, autoStart: false, autoEnd: false } });
  const id = await firstId();
  expect((await read(id)).status).toBe(during);
  api.clock.advance(2 * HOUR);
  expect((await read(id)).status).toBe(after);
});

test('an unknown window, occurrence or update is not found', async () => {
  await create(HOUR, WEEKLY);
  const unknown = [maintenanceId('1', NOW), maintenanceId('2', NOW + HOUR), crypto.randomUUID()];
  for (const id of unknown) expect((await api.call('GET', `${PATH}/${id}`)).status).toBe(404);
  const other = PATH.replace('/1/', '/2/');
  expect((await api.call('GET', other)).status).toBe(404);
  const update = `${PATH}/${await firstId()}/updates/${crypto.randomUUID()}`;
  expect((await api.call('DELETE', update)).status).toBe(404);
  expect((await api.call('PUT', update, { body: { description: '' } })).status).toBe(404);
});

describe('an occurrence is moved', () => {
  test('it keeps its id, and the others stay', async () => {
    await create(HOUR, WEEKLY);
    const [first, second] = await list();
    const id = first?.id ?? '';
    const body = { endsAt: iso(NOW + 9 * HOUR).replace('Z', '+00:00') };
    const moved = await api.call('PATCH', `${PATH}/${id}`, { body });
    expect([moved.status, moved.body]).toEqual([200, { ...first, ...body }]);
    expect((await list()).slice(0, 2)).toEqual([{ ...first, ...body }, second]);
  });

  test('not to an end before its start, and not when it is over', async () => {
    await create(HOUR);
    const id = await firstId();
    const wrong = await api.call('PATCH', `${PATH}/${id}`, { body: { endsAt: iso(NOW) } });
    expect([wrong.status, message(wrong)]).toEqual([
      400,
      'endsAt: expected a moment not before startsAt',
    ]);
    await say(id, 'CANCELLED');
    const body = { endsAt: iso(NOW + 9 * HOUR) };
    expect((await api.call('PATCH', `${PATH}/${id}`, { body })).status).toBe(409);
  });
});

test('a deleted occurrence is gone, and the others stay', async () => {
  await create(HOUR, WEEKLY);
  const [first, second] = await list();
  expect((await api.call('DELETE', `${PATH}/${first?.id}`)).status).toBe(204);
  expect((await api.call('DELETE', `${PATH}/${first?.id}`)).status).toBe(404);
  expect((await list())[0]).toEqual(second);
});

describe('updates', () => {
  test('one starts early, is verified and is completed early', async () => {
    await create(HOUR);
    const id = await firstId();
    const started = await say(id, 'IN_PROGRESS');
    expect([started.status, started.body]).toEqual([
      201,
      {
        id: expect.any(String),
        maintenanceWindowId: 1,
        maintenanceId: id,
        status: 'IN_PROGRESS',
        description: 'Now IN_PROGRESS',
        notifySubscribers: false,
        created_at: iso(NOW),
        previousStatus: 'SCHEDULED',
        previousStartsAt: iso(NOW + HOUR),
        previousEndsAt: null,
        dateAdjustments: { startsAt: iso(NOW) },
      },
    ]);
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', startsAt: iso(NOW) });
    api.clock.advance(HOUR);
    expect((await say(id, 'VERIFYING')).body).toMatchObject({ dateAdjustments: null });
    await say(id, 'COMPLETED');
    const done = await read(id);
    expect(done).toMatchObject({ status: 'COMPLETED', endsAt: iso(NOW + HOUR) });
    expect(done.updates.map(({ status }) => status)).toEqual([
      'IN_PROGRESS',
      'VERIFYING',
      'COMPLETED',
    ]);
  });

  test.each([
    [
      'VERIFYING',
      'status: expected SCHEDULED or IN_PROGRESS or CANCELLED after SCHEDULED, got VERIFYING',
    ],
    [
      'DONE',
      'status: expected "SCHEDULED", "IN_PROGRESS", "VERIFYING", "COMPLETED" or "CANCELLED", got "DONE"',
    ],
  ])('%s is not said of a scheduled one', async (status, expected) => {
    await create(HOUR);
    const answer = await say(await firstId(), status);
    expect([answer.status, message(answer)]).toEqual([400, expected]);
  });

  test('one is corrected and taken back', async () => {
    await create(HOUR);
    const id = await firstId();
    const { id: updateId } = (await say(id, 'SCHEDULED')).body as { id: string };
    const path = `${PATH}/${id}/updates/${updateId}`;
    const body = { description: 'Not at all', status: 'CANCELLED' };
    const edited = await api.call('PUT', path, { body });
    expect([edited.status, edited.body]).toMatchObject([200, { id: updateId, ...body }]);
    expect((await read(id)).status).toBe('CANCELLED');
    const wrong = await api.call('PUT', path, { body: { description: '', status: 'COMPLETED' } });
    expect(wrong.status).toBe(400);
    expect((await api.call('DELETE', path)).status).toBe(204);
    expect(await read(id)).toMatchObject({ status: 'SCHEDULED', updates: [] });
  });

  test('there is a bound on them', async () => {
    await create(HOUR);
    const id = await firstId();
    for (let n = 0; n < MAX_UPDATES; n++) await say(id, 'SCHEDULED');
    expect((await say(id, 'SCHEDULED')).status).toBe(409);
  });
});

test.each([
  ['only spoken of', {}, 5, 5],
  ['whose start was moved', { startsAt: iso(NOW + HOUR) }, 5, 5],
  ['whose end was moved', { endsAt: iso(NOW + 3 * HOUR) }, 5, 3],
  ['that would begin after the new end', { startsAt: iso(NOW + 1.5 * HOUR) }, 1, 2],
])(
  'when a window is given another end, an occurrence %s',
  async (_name, dates, hours, endHours) => {
    await create(0, WEEKLY);
    const id = await firstId();
    if (Object.keys(dates).length === 0) await say(id, 'IN_PROGRESS');
    else await api.call('PATCH', `${PATH}/${id}`, { body: dates });
    const body = { endsAt: iso(NOW + hours * HOUR) };
    expect((await api.call('PUT', '/v1/maintenance-windows/1', { body })).status).toBe(200);
    expect(await read(id)).toMatchObject({ ...dates, endsAt: iso(NOW + endHours * HOUR) });
  },
);

test('a window with other times forgets what was changed of those it no longer has', async () => {
  await create(HOUR, WEEKLY);
  const [first, second] = await list();
  await say(second?.id ?? '', 'CANCELLED');
  const put = (body: object) => api.call('PUT', '/v1/maintenance-windows/1', { body });
  await put({ name: 'Another' });
  expect((await list())[1]?.status).toBe('CANCELLED');
  await put({ startsAt: iso(NOW + 2 * HOUR) });
  expect((await list())[1]?.status).toBe('SCHEDULED');
  expect((await api.call('GET', `${PATH}/${first?.id}`)).status).toBe(404);
  expect(api.configuration.maintenanceWindows.get('1')?.changes).toEqual([]);
});

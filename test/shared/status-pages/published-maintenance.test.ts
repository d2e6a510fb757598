import { describe, expect, it } from 'vitest';
import type { MaintenanceChange } from '#shared/maintenance/maintenance.ts';
import type { StatusPageVisibility } from '#shared/maintenance/visibility.ts';
import {
  maintenanceSpansOf,
  publishedOccurrences,
  suppressesIncidents,
} from '#shared/status-pages/published-maintenance.ts';
import { changeOf, DAILY, publishedWindow, saying } from '../../fixtures/published-windows.ts';

const [API, WEB, MAIL] = ['api', 'web', 'mail'] as const;
const SHOWN = '0190b6f0-0000-7000-8000-000000000001';
const OTHER = '0190b6f0-0000-7000-8000-000000000002';

const cardOf = (...serviceIds: string[]) => ({
  id: OTHER,
  name: 'Card',
  serviceIds,
  created_at: '2026-05-01T00:00:00.000Z',
  updated_at: null,
});
const page = { id: SHOWN, cards: [cardOf(API, WEB), cardOf(API)] };

const at = (time: string) => Date.parse(`2026-05-${time}:00Z`);
const MAY = { fromMs: at('01T00:00'), toMs: at('31T00:00') };

describe('a page shows a window', () => {
  it.each<[string, Partial<StatusPageVisibility>, string[] | null]>([
    ['that affects one of its services', { serviceIds: [MAIL, API] }, [API]],
    ['not where it affects others', { serviceIds: [MAIL] }, null],
    ['that affects all services', { affectAllServices: true }, [API, WEB]],
    ['that names it', { serviceIds: [MAIL], statusPageIds: [SHOWN] }, []],
    ['not where it names others', { serviceIds: [API], statusPageIds: [OTHER] }, null],
    ['not where it is hidden', { serviceIds: [API], enabled: false }, null],
    ['not where it affects nothing', {}, null],
    ['without its services', { serviceIds: [API], showAffectedServices: false }, []],
  ])('%s', (_, visibility, serviceIds) => {
    const shown = publishedOccurrences([publishedWindow(visibility)], page, { ...MAY, nowMs: 0 });
    expect(shown.map((one) => one.serviceIds)).toEqual(serviceIds === null ? [] : [serviceIds]);
  });
});

describe('the occurrences that a page shows', () => {
  const show = (change: Partial<MaintenanceChange>, nowMs = at('01T00:00')) =>
    publishedOccurrences(
      [publishedWindow({ serviceIds: [API] }, { ...DAILY, changes: [changeOf('02', change)] })],
      page,
      { fromMs: at('01T11:00'), toMs: at('03T10:00'), nowMs },
    ).map(({ startsAt, endsAt, status }) => [
      new Date(startsAt).toISOString().slice(8, 16),
      new Date(endsAt).toISOString().slice(8, 16),
      status,
    ]);
  const first = ['01T10:00', '01T12:00', 'SCHEDULED'];

  it.each<[string, Partial<MaintenanceChange>, string[][]]>([
    ['as computed', {}, [first, ['02T10:00', '02T12:00', 'SCHEDULED']]],
    ['one that was deleted not', { isDeleted: true }, [first]],
    [
      'one that was cancelled, as such',
      saying('CANCELLED'),
      [first, ['02T10:00', '02T12:00', 'CANCELLED']],
    ],
    [
      'one that was moved before another, in its new place',
      { startsAt: '2026-05-01T08:00:00Z', endsAt: '2026-05-01T11:30:00Z' },
      [['01T08:00', '01T11:30', 'SCHEDULED'], first],
    ],
    [
      'one that was moved out of the span not',
      { startsAt: '2026-05-09T08:00:00Z', endsAt: '2026-05-09T09:00:00Z' },
      [first],
    ],
    [
      'one without a length not',
      { startsAt: '2026-05-02T10:00:00Z', endsAt: '2026-05-02T10:00:00Z' },
      [first],
    ],
  ])('%s', (_, change, expected) => {
    expect(show(change)).toEqual(expected);
  });

  it('have the status of the moment', () => {
    const statuses = (time: string) => show({}, at(time)).map(([, , status]) => status);
    expect(statuses('01T11:00')).toEqual(['IN_PROGRESS', 'SCHEDULED']);
    expect(statuses('02T12:00')).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('are known by the name and the updates of their window, and nothing else of it', () => {
    const window = publishedWindow(
      { serviceIds: [API], severity: 'MINOR' },
      { tags: ['secret'], changes: [changeOf('01', saying('IN_PROGRESS'))], description: 'Moving' },
    );
    const [shown] = publishedOccurrences([window], page, { ...MAY, nowMs: at('01T11:00') });
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      windowId: '1',
      name: 'Database move',
      description: 'Moving',
      severity: 'MINOR',
      startsAt: at('01T10:00'),
      endsAt: at('01T12:00'),
      status: 'IN_PROGRESS',
      updates: [
        {
          id: '5e1d6f3a-8a3b-4c3e-9a51-0d4f2b7c9e10',
          status: 'IN_PROGRESS',
          description: 'now IN_PROGRESS',
          publishedAt: at('01T00:00'),
        },
      ],
      serviceIds: [API],
    });
  });

  it('are found where they began long before the span', () => {
    const long = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-06-01T00:00:00Z' };
    const windows = [publishedWindow({ serviceIds: [API] }, long)];
    expect(publishedOccurrences(windows, page, { ...MAY, nowMs: 0 })).toHaveLength(1);
  });
});

describe('maintenance of a service that has begun', () => {
  const spans = (serviceId: string, change: Partial<MaintenanceChange> = {}) =>
    maintenanceSpansOf(
      serviceId,
      publishedOccurrences(
        [publishedWindow({ serviceIds: [API] }, { changes: [changeOf('01', change)] })],
        page,
        { ...MAY, nowMs: at('01T11:00') },
      ),
    );

  it('has the span of its occurrence', () => {
    expect(spans(API)).toEqual([{ startedAt: at('01T10:00'), endedAt: at('01T12:00') }]);
  });

  it('is none of another service, and none where it was cancelled', () => {
    expect(spans(WEB)).toEqual([]);
    expect(spans(API, saying('CANCELLED'))).toEqual([]);
  });
});

describe('maintenance keeps automation from opening incidents', () => {
  const quiet = { serviceIds: [API], suppressAutoIncidents: true };
  it.each<[string, Partial<StatusPageVisibility>, string, boolean, Partial<MaintenanceChange>?]>([
    ['while it runs', quiet, '01T10:00', true],
    ['not before', quiet, '01T09:59', false],
    ['not after', quiet, '01T12:00', false],
    ['until people end it', { ...quiet, autoEnd: false }, '01T15:00', true],
    ['not until people start it', { ...quiet, autoStart: false }, '01T11:00', false],
    ['not where it was cancelled', quiet, '01T11:00', false, saying('CANCELLED')],
    ['not of other services', { ...quiet, serviceIds: [WEB] }, '01T11:00', false],
    ['of all services', { ...quiet, serviceIds: [], affectAllServices: true }, '01T11:00', true],
    ['not where it does not say so', { serviceIds: [API] }, '01T11:00', false],
    ['not where pages do not show it', { ...quiet, enabled: false }, '01T11:00', false],
  ])('%s', (_, visibility, time, expected, change = {}) => {
    const window = publishedWindow(visibility, { changes: [changeOf('01', change)] });
    expect(suppressesIncidents([window], API, at(time))).toBe(expected);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { plannedTimes, publishedWindows } from '#shared/analytics/slo-maintenance.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';
import { changeOf, DAILY, publishedWindow, saying } from '../../fixtures/published-windows.ts';

const at = (time: string) => Date.parse(`2026-05-${time}:00Z`);
const MAY = { from: at('01T00:00'), to: at('31T00:00') };
const SERVICE = randomUUID();

const incident = {
  serviceId: SERVICE,
  severity: 'MAJOR',
  name: 'x',
  description: 'x',
  notifySubscribers: false,
} as const;
const check = { triggerIncident: incident };

const hours = (windows: readonly MaintenanceWindow[], tags: string[] = [], of = check) =>
  plannedTimes(of, tags, publishedWindows(windows, MAY, at('31T00:00'))).map(({ from, to }) =>
    [from, to].map((ms) => new Date(ms).toISOString().slice(8, 13)).join(' to '),
  );

const FIRST = ['01T10 to 01T12'];

describe('published maintenance is of a check', () => {
  test.each<[string, MaintenanceWindow, string[], string[]]>([
    ['whose service it affects', publishedWindow({ serviceIds: [SERVICE] }), [], FIRST],
    ['where it affects all services', publishedWindow({ affectAllServices: true }), [], FIRST],
    ['which it pauses', publishedWindow({}, { tags: ['shop'] }), ['shop'], FIRST],
    [
      'whose alerts it silences',
      publishedWindow({}, { silenceAlertsTags: ['shop'] }),
      ['shop'],
      FIRST,
    ],
    ['where it pauses all', publishedWindow({}, { pauseAllChecks: true }), [], FIRST],
    ['where it silences all', publishedWindow({}, { silenceAllAlerts: true }), [], FIRST],
    [
      'not where it is of others',
      publishedWindow({ serviceIds: [randomUUID()] }, { tags: ['a'] }),
      ['b'],
      [],
    ],
    [
      'not where no page shows it',
      publishedWindow({ enabled: false }, { pauseAllChecks: true }),
      [],
      [],
    ],
  ])('%s', (_, window, tags, expected) => {
    expect(hours([window], tags)).toEqual(expected);
  });

  test('not of one without a service, where it affects services only', () => {
    const window = publishedWindow({ affectAllServices: true });
    expect(hours([window], [], { triggerIncident: null } as never)).toEqual([]);
  });
});

test('occurrences that overlap are one time; those cancelled, or to come, are none', () => {
  const daily = publishedWindow(
    { affectAllServices: true },
    {
      ...DAILY,
      changes: [changeOf('02', saying('CANCELLED'))],
    },
  );
  const longer = publishedWindow(
    { affectAllServices: true },
    { id: '2', startsAt: '2026-05-03T11:00:00Z', endsAt: '2026-05-03T15:00:00Z' },
  );
  const windows = publishedWindows([daily, longer], MAY, at('04T11:00'));
  const found = plannedTimes(check, [], windows);
  expect(found).toEqual([
    { from: at('01T10:00'), to: at('01T12:00') },
    { from: at('03T10:00'), to: at('03T15:00') },
    { from: at('04T10:00'), to: at('04T12:00') },
  ]);
});

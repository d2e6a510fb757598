import { describe, expect, it } from 'vitest';
import { type ChangedWindow, changedStateAt } from '#shared/maintenance/changed-state.ts';
import type { MaintenanceChange, MaintenanceStatus } from '#shared/maintenance/maintenance.ts';

const at = (time: string) => Date.parse(`2026-05-${time}:00Z`);

/** Every day from 10 to 12, with changes of the occurrence of the 4th. */
function daily(...changes: Partial<MaintenanceChange>[]): ChangedWindow {
  return {
    startsAt: '2026-05-01T10:00:00Z',
    endsAt: '2026-05-01T12:00:00Z',
    repeatUnit: 'DAY',
    repeatInterval: 1,
    repeatEndsAt: null,
    timezone: null,
    changes: changes.map((change) => ({
      plannedAt: '2026-05-04T10:00:00.000Z',
      startsAt: '2026-05-04T10:00:00.000Z',
      endsAt: '2026-05-04T12:00:00.000Z',
      isDeleted: false,
      updates: [],
      updated_at: '2026-05-01T00:00:00.000Z',
      ...change,
    })),
  };
}

const saying = (status: MaintenanceStatus): Partial<MaintenanceChange> => ({
  updates: [
    {
      id: '5e1d6f3a-8a3b-4c3e-9a51-0d4f2b7c9e10',
      status,
      description: '',
      notifySubscribers: false,
      created_at: '2026-05-01T00:00:00.000Z',
      previousStatus: 'SCHEDULED',
      previousStartsAt: null,
      previousEndsAt: null,
      dateAdjustments: null,
    },
  ],
});

describe('what people changed of the occurrence of the 4th', () => {
  const moved = { startsAt: '2026-05-04T11:00:00Z', endsAt: '2026-05-04T15:00:00Z' };
  it.each<[string, Partial<MaintenanceChange>[], string, string | null, string]>([
    ['nothing', [], '04T11:00', '04T12:00', '04T12:00'],
    ['cancelled', [saying('CANCELLED')], '04T11:00', null, '04T12:00'],
    ['deleted', [{ isDeleted: true }], '04T11:00', null, '04T12:00'],
    ['in progress', [saying('IN_PROGRESS')], '04T11:00', '04T12:00', '04T12:00'],
    ['moved, before', [moved], '04T10:30', null, '04T11:00'],
    ['moved, inside', [moved], '04T14:00', '04T15:00', '04T15:00'],
    ['moved, after', [moved], '04T15:00', null, '05T10:00'],
    ['moved and cancelled', [{ ...moved, ...saying('CANCELLED') }], '04T14:00', null, '05T10:00'],
    ['another day', [saying('CANCELLED')], '05T11:00', '05T12:00', '05T12:00'],
    [
      'moved beside the next',
      [{ ...moved, endsAt: '2026-05-05T11:00:00Z' }],
      '05T10:30',
      '05T12:00',
      '05T11:00',
    ],
    [
      'moved over the next',
      [{ ...moved, endsAt: '2026-05-05T13:00:00Z' }],
      '05T10:30',
      '05T13:00',
      '05T12:00',
    ],
    ['ended as it began', [{ endsAt: '2026-05-04T10:00:00.000Z' }], '04T10:00', null, '04T12:00'],
  ])('%s', (_name, changes, now, openUntil, holdsUntil) => {
    const { open, fromMs, untilMs } = changedStateAt(daily(...changes), at(now));
    expect(open?.endsAtMs ?? null).toBe(openUntil && at(openUntil));
    expect(untilMs).toBe(at(holdsUntil));
    expect(fromMs).toBeLessThanOrEqual(at(now));
  });
});

it.each<[string, string, string | null, string]>([
  ['the one before is open', '04T11:00', '04T13:00', '04T13:00'],
  ['and closes at its own time', '04T13:00', null, '05T10:00'],
  ['the next one is open', '05T10:00', '06T13:00', '06T10:00'],
])('where each lasts 27 hours and one is cancelled, %s', (_name, now, openUntil, holdsUntil) => {
  const window = { ...daily(saying('CANCELLED')), endsAt: '2026-05-02T13:00:00Z' };
  const { open, untilMs } = changedStateAt(window, at(now));
  expect(open?.endsAtMs ?? null).toBe(openUntil && at(openUntil));
  expect(untilMs).toBe(at(holdsUntil));
});

it('a first one that is cancelled is not open, however long', () => {
  const cancelled = { ...saying('CANCELLED'), plannedAt: '2026-05-01T10:00:00.000Z' };
  expect(changedStateAt(daily(cancelled), at('01T11:00')).open).toBeNull();
});

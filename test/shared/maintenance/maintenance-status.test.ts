import { describe, expect, it } from 'vitest';
import { MAINTENANCE_STATUSES, type MaintenanceStatus } from '#shared/maintenance/maintenance.ts';
import { movedBy, STATUSES_AFTER, statusAt } from '#shared/maintenance/maintenance-status.ts';

const SPAN = { startsAtMs: 1_000, endsAtMs: 2_000 };
const BEFORE = 999;
const DURING = 1_000;
const AFTER = 2_000;

describe('the status of an occurrence before, during and after its time', () => {
  type Row = [MaintenanceStatus | undefined, boolean, boolean, ...MaintenanceStatus[]];
  it.each<Row>([
    [undefined, true, true, 'SCHEDULED', 'IN_PROGRESS', 'COMPLETED'],
    [undefined, false, true, 'SCHEDULED', 'SCHEDULED', 'COMPLETED'],
    [undefined, true, false, 'SCHEDULED', 'IN_PROGRESS', 'IN_PROGRESS'],
    [undefined, false, false, 'SCHEDULED', 'SCHEDULED', 'SCHEDULED'],
    ['SCHEDULED', true, true, 'SCHEDULED', 'IN_PROGRESS', 'COMPLETED'],
    ['IN_PROGRESS', false, true, 'IN_PROGRESS', 'IN_PROGRESS', 'COMPLETED'],
    ['VERIFYING', true, true, 'VERIFYING', 'VERIFYING', 'COMPLETED'],
    ['VERIFYING', true, false, 'VERIFYING', 'VERIFYING', 'VERIFYING'],
    ['COMPLETED', true, true, 'COMPLETED', 'COMPLETED', 'COMPLETED'],
    ['CANCELLED', true, true, 'CANCELLED', 'CANCELLED', 'CANCELLED'],
  ])(
    'said %s, starts by itself: %s, ends by itself: %s',
    (said, autoStart, autoEnd, ...expected) => {
      const facts = { ...SPAN, said, autoStart, autoEnd };
      expect([BEFORE, DURING, AFTER].map((now) => statusAt(facts, now))).toEqual(expected);
    },
  );
});

it('a status never goes back, and ends in COMPLETED or CANCELLED', () => {
  const ends = MAINTENANCE_STATUSES.filter((status) => STATUSES_AFTER[status].length === 1);
  expect(ends).toEqual(['COMPLETED', 'CANCELLED']);
  for (const [index, from] of MAINTENANCE_STATUSES.entries()) {
    for (const to of STATUSES_AFTER[from]) {
      expect(MAINTENANCE_STATUSES.indexOf(to)).toBeGreaterThanOrEqual(index);
    }
  }
});

it.each<[MaintenanceStatus, number, string | null]>([
  ['IN_PROGRESS', BEFORE, 'startsAt'],
  ['IN_PROGRESS', DURING, null],
  ['COMPLETED', DURING, 'endsAt'],
  ['COMPLETED', AFTER, null],
  ['CANCELLED', DURING, null],
  ['VERIFYING', BEFORE, null],
])('saying %s at %i moves %s', (status, now, expected) => {
  expect(movedBy(status, SPAN, now)).toBe(expected);
});

import { expect, test } from 'vitest';
import { type DashboardIncident, isOver } from '#shared/dashboards/dashboard-incident.ts';

type Status = DashboardIncident['incidentUpdates'][number]['status'];

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const EARLIER = '2026-01-15T11:59:59.000Z';
const LATER = '2026-01-15T12:00:01.000Z';

test.each<[Status[], string | null, boolean]>([
  [['INVESTIGATING'], null, false],
  [['INVESTIGATING', 'RESOLVED'], null, true],
  [['INVESTIGATING', 'RESOLVED', 'MONITORING'], null, false],
  [['INVESTIGATING'], EARLIER, true],
  [['INVESTIGATING'], LATER, false],
  [['RESOLVED'], LATER, true],
])('with the updates %j and the stop %s, that it is over is %s', (statuses, stoppedAt, over) => {
  const incidentUpdates = statuses.map((status) => ({
    id: '0b8f5c1e-6f0a-4e63-9d65-7d3a1c2b4f10',
    status,
    description: 'x',
    created_at: EARLIER,
    updated_at: null,
  }));
  expect(isOver({ stoppedAt, incidentUpdates }, NOW)).toBe(over);
});

import { expect, test } from 'vitest';
import type { SessionStatus } from '#shared/sessions/check-session.ts';
import { addToBatch, laterSession, newBatchSummary } from '#shared/summaries/session-batch.ts';
import type { SessionSummary } from '#shared/summaries/session-summary.ts';

const result = {
  id: 'r',
  location: 'local',
  isFinal: true,
  state: 'passing',
  responseTime: 5,
} as const;

const session = (status: SessionStatus, results = 0): SessionSummary => ({
  id: 's',
  checkId: 'c',
  checkType: 'URL',
  name: 'Shop',
  status,
  runSource: 'TRIGGER_API',
  createdAt: 1,
  stoppedAt: null,
  runLocations: ['local'],
  results: Array.from({ length: results }, () => result),
});

test.each([
  [session('STARTED'), session('PROGRESS')],
  [session('PROGRESS'), session('PROGRESS_FAILED', 1)],
  [session('PROGRESS', 1), session('PROGRESS', 2)],
  [session('PROGRESS_FAILED', 3), session('CANCELLED', 2)],
  [session('STARTED'), session('TIMED_OUT')],
])('of two versions the later one counts, whichever came first', (earlier, later) => {
  expect(laterSession(earlier, later)).toBe(later);
  expect(laterSession(later, earlier)).toBe(later);
});

test('a batch counts its sessions by how they ended, and names the first', () => {
  const batch = newBatchSummary(session('STARTED'));
  const statuses = [
    'STARTED',
    'PROGRESS_FAILED',
    'PASSED',
    'FAILED',
    'TIMED_OUT',
    'CANCELLED',
  ] as const;
  for (const [index, status] of statuses.entries()) {
    addToBatch(batch, { status, name: `check ${index}` });
  }
  expect(batch).toEqual({
    id: 's',
    createdAt: 1,
    runSource: 'TRIGGER_API',
    names: ['check 0', 'check 1', 'check 2'],
    count: 6,
    open: 2,
    passed: 1,
    degraded: 0,
    failed: 2,
    cancelled: 1,
  });
});

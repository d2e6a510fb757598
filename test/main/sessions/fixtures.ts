import { uuidAt } from '#main/platform/uuid-at.ts';
import type { StoredSession } from '#shared/sessions/check-session.ts';

export const NOW = Date.UTC(2026, 0, 1);
export const CHECK = '2f6f9c1e-58a1-4f3e-9f0e-0f6a1f6a2b11';

/** A session that nobody has begun, but for what a test sets. */
export function makeSession(members: Partial<StoredSession> = {}): StoredSession {
  return {
    id: uuidAt(NOW),
    checkId: CHECK,
    checkType: 'URL',
    name: 'URL check',
    status: 'STARTED',
    runSource: 'TRIGGER_API',
    createdAt: NOW,
    firstRunAt: null,
    deadlineAt: null,
    stoppedAt: null,
    runLocations: ['eu-west-1'],
    results: [],
    overrides: {},
    ...members,
  };
}

/** Outcomes that a FINAL result may have. */
export const OUTCOMES = {
  passed: {},
  degraded: { isDegraded: true },
  failed: { hasFailures: true },
  inconclusive: { hasErrors: true },
} as const;

import { randomUUID } from 'node:crypto';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import { pendingResult, testStatusOf } from '#shared/sessions/test-session-rules.ts';
import type { TestOptions } from './sessions-port.ts';

/** A test session of these checks, at `now` (epoch ms), with everything pending. */
export function newTestSession(
  checks: readonly RunnableCheck[],
  { name, runLocation, metadata }: TestOptions,
  now: number,
): StoredTestSession {
  const results = checks.map(({ id: checkId, checkType, name: checkName }, position) => {
    const check = { checkId, checkType, name: checkName, position };
    return pendingResult(randomUUID(), check, runLocation, now);
  });
  const status = testStatusOf(results);
  const stoppedAt = status === 'RUNNING' ? null : now;
  return {
    id: uuidAt(now),
    name,
    status,
    runLocation,
    createdAt: now,
    stoppedAt,
    metadata,
    results,
  };
}

import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import { uuidParam } from '../checks/find-check.ts';

export const testSessionParams = z.object({ testSessionId: uuidParam });

/** The test session, where there is one; else 404. */
export function found(session: StoredTestSession | null): StoredTestSession {
  if (session === null) throw notFound('No such test session.');
  return session;
}

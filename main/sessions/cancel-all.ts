import { inSlices } from '#main/platform/yielding.ts';
import type { StoredSession } from '#shared/sessions/check-session.ts';
import type { CheckSessionsPort } from './sessions-port.ts';

const CANCELLED_AT_ONCE = 20;

/**
 * Cancels the sessions that a failed trigger has made. Where the store fails, a session is cancelled
 * all the same and written later, so that none is left running.
 */
export async function cancelAll(
  made: readonly StoredSession[],
  sessions: Pick<CheckSessionsPort, 'cancel'>,
): Promise<void> {
  for await (const slice of inSlices(made, CANCELLED_AT_ONCE)) {
    await Promise.allSettled(slice.map(({ id }) => sessions.cancel(id)));
  }
}

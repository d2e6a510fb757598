import { inSlices } from '#main/platform/yielding.ts';
import type { StoredSession } from '#shared/sessions/check-session.ts';
import type { CheckSessionsPort } from './sessions-port.ts';

const CANCELLED_AT_ONCE = 20;

/**
 * Ends what a trigger that failed has made. One that cannot be kept as cancelled, as the store fails,
 * is no reason to leave the others running: it is over all the same, and kept later.
 */
export async function cancelAll(
  made: readonly StoredSession[],
  sessions: Pick<CheckSessionsPort, 'cancel'>,
): Promise<void> {
  for await (const slice of inSlices(made, CANCELLED_AT_ONCE)) {
    await Promise.allSettled(slice.map(({ id }) => sessions.cancel(id)));
  }
}

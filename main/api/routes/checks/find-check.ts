import type { Check, HeartbeatCheck } from '#shared/checks/check.ts';
import type { Context } from '../../operation.ts';

export { noSuchCheck } from '#main/services/checks.ts';
export { checkIdParams, idParams, uuidParam } from '../../params.ts';

/** The check of an id; 404 where there is none. */
export function findCheck(id: string, { checks }: Context): Check {
  return checks.find(id);
}

/** The heartbeat check of an id; 404 where there is none, or where it is of another type. */
export function findHeartbeat(id: string, { checks }: Context): HeartbeatCheck {
  return checks.findOf('HEARTBEAT', id);
}

import { z } from 'zod';
import { notFound, type ServiceError } from '#main/services/service-error.ts';
import { type Check, type HeartbeatCheck, isHeartbeat } from '#shared/checks/check.ts';
import type { Context } from '../../operation.ts';

/** A UUID in a path, in either case; ids are kept in lower case. */
export const uuidParam = z.guid().toLowerCase();

export const idParams = z.object({ id: uuidParam });
export const checkIdParams = z.object({ checkId: uuidParam });

/** The check of an id; 404 where there is none. */
export function findCheck(id: string, { configuration }: Context): Check {
  const check = configuration.checks.get(id);
  if (check === undefined) throw noSuchCheck(id);
  return check;
}

/** The heartbeat check of an id; 404 where there is none, or where it is of another type. */
export function findHeartbeat(id: string, { configuration }: Context): HeartbeatCheck {
  const check = configuration.checks.get(id);
  if (check === undefined || !isHeartbeat(check)) throw noSuchCheck(id, 'heartbeat check');
  return check;
}

export function noSuchCheck(id: string, noun = 'check'): ServiceError {
  return notFound(`No ${noun} has the id ${id}`);
}

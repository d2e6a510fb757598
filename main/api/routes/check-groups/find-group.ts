import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { integer } from '#shared/api/query.ts';
import type { Group } from '#shared/groups/group.ts';
import type { Context } from '../../operation.ts';

/** The id of a group in a path. */
export const groupId = integer(1, 1_000_000_000);
export const groupParams = z.object({ id: groupId });

/** The group of an id; 404 where there is none. */
export function findGroup(id: number, { configuration }: Context): Group {
  const group = configuration.groups.get(String(id));
  if (group === undefined) throw notFound(`No check group has the id ${id}`);
  return group;
}

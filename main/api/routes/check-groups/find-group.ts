import type { Group } from '#shared/groups/group.ts';
import type { Context } from '../../operation.ts';

export { numberParam as groupId } from '../../params.ts';

/** The group of an id; 404 where there is none. */
export function findGroup(id: number, { checkGroups }: Context): Group {
  return checkGroups.find(id);
}

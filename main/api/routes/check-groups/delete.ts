import { REFERENCES, usersInWords } from '#main/services/references.ts';
import { membersOf } from '#shared/groups/members.ts';
import { ApiError } from '../../api-error.ts';
import { KEY, operation } from '../../operation.ts';
import { findGroup, groupParams } from './find-group.ts';

export const deleteGroup = operation({
  id: 'deleteCheckGroup',
  method: 'delete',
  path: '/v1/check-groups/{id}',
  tag: 'Check groups',
  summary: 'Delete a check group',
  description: '409 while it holds checks: delete them, or set their `groupId` to null, first.',
  access: KEY,
  params: groupParams,
  status: 204,
  response: null,
  failures: [409],
  handle: ({ params: { id } }, context) =>
    context.mutex(REFERENCES, async () => {
      const { checks, groups } = context.configuration;
      const group = findGroup(id, context);
      const members = membersOf(id, checks.all());
      if (members.length > 0) {
        throw new ApiError(409, `The check group still holds ${usersInWords(members)}`);
      }
      await groups.delete(group.id);
      return {};
    }),
});

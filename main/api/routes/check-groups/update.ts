import { REFERENCES } from '#main/services/references.ts';
import { groupUpdate, groupView } from '#shared/groups/group.ts';
import { KEY, type Operation, operation } from '../../operation.ts';
import { writeQuery } from '../checks/create.ts';
import { refuseUnknownIds } from '../checks/keep-check.ts';
import { changedGroup } from './draft.ts';
import { findGroup, groupParams } from './find-group.ts';
import { viewGroup } from './view-group.ts';

/** `PUT` of both versions: what a group decides stands in its members, so they are the same. */
export const updateGroupOperations: readonly Operation[] = ['v1', 'v2'].map((version) =>
  operation({
    id: `updateCheckGroup${version.toUpperCase()}`,
    method: 'put',
    path: `/${version}/check-groups/{id}`,
    tag: 'Check groups',
    summary: `Update a check group (${version})`,
    deprecated: version === 'v1',
    description:
      'Members left out stay as they were; an object that is sent replaces the old one whole.',
    access: KEY,
    params: groupParams,
    query: writeQuery,
    body: { schema: groupUpdate },
    status: 200,
    response: groupView,
    handle: ({ params: { id }, body, account }, context) =>
      context.mutex(REFERENCES, async () => {
        const group = findGroup(id, context);
        refuseUnknownIds(body, context);
        const changed = changedGroup(group, body, context.clock.now());
        await context.configuration.groups.put(changed);
        return { content: { json: viewGroup(changed, account) } };
      }),
  }),
);

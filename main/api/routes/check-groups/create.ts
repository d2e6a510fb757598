import type { z } from 'zod';
import { nextNumericId } from '#main/services/next-id.ts';
import { REFERENCES } from '#main/services/references.ts';
import {
  groupCreateV1,
  groupCreateV2,
  groupView,
  MAX_GROUPS,
  type NewGroup,
} from '#shared/groups/group.ts';
import { ApiError } from '../../api-error.ts';
import { type Context, type Input, KEY, operation, type Reply } from '../../operation.ts';
import { withAutoSubscriptions } from '../alert-channels/auto-subscribe.ts';
import { writeQuery } from '../checks/create.ts';
import { refuseUnknownIds } from '../checks/keep-check.ts';
import { newGroup } from './draft.ts';
import { viewGroup } from './view-group.ts';

export const createGroupV1 = operation({
  id: 'createCheckGroupV1',
  method: 'post',
  path: '/v1/check-groups',
  tag: 'Check groups',
  summary: 'Create a check group (v1)',
  deprecated: true,
  description:
    'Where nothing else is said, the group decides for its checks: retries by `doubleCheck`, one location after another, the alert settings of the account. v2 is the newer way.',
  access: KEY,
  query: writeQuery,
  body: { schema: groupCreateV1 },
  status: 201,
  response: groupView,
  failures: [409],
  handle: (input, context) => create(input, context),
});

export const createGroupV2 = operation({
  id: 'createCheckGroupV2',
  method: 'post',
  path: '/v2/check-groups',
  tag: 'Check groups',
  summary: 'Create a check group (v2)',
  description: 'Where nothing else is said, the checks of the group keep their own settings.',
  access: KEY,
  query: writeQuery,
  body: { schema: groupCreateV2 },
  status: 201,
  response: groupView,
  failures: [409],
  handle: (input, context) => create(input, context),
});

type CreateInput = Input<unknown, z.output<typeof writeQuery>, NewGroup>;

function create({ body, query, account }: CreateInput, context: Context): Promise<Reply> {
  const { configuration, clock } = context;
  return context.mutex(REFERENCES, async () => {
    refuseUnknownIds(body, context);
    const { size } = configuration.groups;
    if (size >= MAX_GROUPS) throw new ApiError(409, `There are ${size} check groups already`);
    const id = await nextNumericId('groups', configuration.groups, configuration);
    const named = newGroup(id, body, clock.now());
    const group = withAutoSubscriptions(named, query.autoAssignAlerts, context);
    await configuration.groups.put(group);
    return { content: { json: viewGroup(group, account) } };
  });
}

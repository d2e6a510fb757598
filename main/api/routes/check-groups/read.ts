import { z } from 'zod';
import { limit, page, repeated, several } from '#shared/api/query.ts';
import { type Group, groupRead } from '#shared/groups/group.ts';
import { membersByGroup, membersOf } from '#shared/groups/members.ts';
import { KEY, operation } from '../../operation.ts';
import { pageOf } from '../../pagination.ts';
import { findGroup, groupParams } from './find-group.ts';
import { readGroupView } from './view-group.ts';

/** Filters of the list of groups (contract 1.1). */
const listQuery = z.object({
  limit: limit(100, 10),
  page,
  tag: several(z.string()).default([]).meta({ description: 'Groups that have one of these tags' }),
  name: repeated(z.string())
    .optional()
    .meta({ description: 'Groups that have one of these names, in full' }),
});
type ListQuery = z.output<typeof listQuery>;

export const listGroups = operation({
  id: 'listCheckGroups',
  method: 'get',
  path: '/v1/check-groups',
  tag: 'Check groups',
  summary: 'List check groups',
  description:
    'In the order of their ids, page by page, each with the ids of its checks. The header `Content-Range` has the total.',
  access: KEY,
  query: listQuery,
  status: 200,
  response: z.array(groupRead),
  handle: ({ query, account }, { configuration }) => {
    const found = configuration.groups.all().filter(filterOf(query));
    const members = membersByGroup(configuration.checks.all());
    return pageOf(found, query, (group) => {
      const checks = members.get(Number(group.id)) ?? [];
      return readGroupView(group, checks, account);
    });
  },
});

function filterOf({ tag, name }: ListQuery): (group: Group) => boolean {
  return (group) =>
    (tag.length === 0 || tag.some((one) => group.tags.includes(one))) &&
    (name === undefined || name.includes(group.name));
}

export const readGroup = operation({
  id: 'readCheckGroup',
  method: 'get',
  path: '/v1/check-groups/{id}',
  tag: 'Check groups',
  summary: 'Read a check group, with the ids of its checks',
  access: KEY,
  params: groupParams,
  status: 200,
  response: groupRead,
  handle: ({ params: { id }, account }, context) => {
    const group = findGroup(id, context);
    const members = membersOf(id, context.configuration.checks.all());
    return { content: { json: readGroupView(group, members, account) } };
  },
});

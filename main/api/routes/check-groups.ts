import { z } from 'zod';
import { limit, page, repeated, several } from '#shared/api/query.ts';
import { anyCheck } from '#shared/checks/schemas.ts';
import { viewCheck } from '#shared/checks/view.ts';
import { groupCreateV1, groupCreateV2, groupUpdate } from '#shared/groups/group.ts';
import { groupRead, groupView, readGroupView, viewGroup } from '#shared/groups/view.ts';
import { KEY, operation } from '../operation.ts';
import { pageOf } from '../pagination.ts';
import { numberParam, uuidParam } from '../params.ts';
import { writeQuery } from './checks.ts';

const tag = 'Check groups';
const params = z.object({ id: numberParam });

/** The versions of the groups' routes. */
const VERSIONS = ['v1', 'v2'] as const;
type Version = (typeof VERSIONS)[number];

const CREATE = {
  v1: {
    schema: groupCreateV1,
    deprecated: true,
    description:
      'Where nothing else is said, the group decides for its checks: retries by `doubleCheck`, one location after another, the alert settings of the account. v2 is the newer way.',
  },
  v2: {
    schema: groupCreateV2,
    description: 'Settings that the body leaves out stay those of each check of the group.',
  },
} as const;

const createGroup = (version: Version) => {
  const { schema, ...words } = CREATE[version];
  return operation({
    id: `createCheckGroup${version.toUpperCase()}`,
    method: 'post',
    path: `/${version}/check-groups`,
    tag,
    summary: `Create a check group (${version})`,
    ...words,
    access: KEY,
    query: writeQuery,
    body: { schema },
    status: 201,
    response: groupView,
    failures: [409],
    handle: async ({ body, query, account }, { checkGroups }) => {
      const group = await checkGroups.create(body, query.autoAssignAlerts);
      return { content: { json: viewGroup(group, account) } };
    },
  });
};

const listGroups = operation({
  id: 'listCheckGroups',
  method: 'get',
  path: '/v1/check-groups',
  tag,
  summary: 'List check groups',
  description:
    'In the order of their ids, page by page, each with the ids of its checks. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({
    limit: limit(100, 10),
    page,
    tag: several(z.string())
      .default([])
      .meta({ description: 'Groups that have one of these tags' }),
    name: repeated(z.string())
      .optional()
      .meta({ description: 'Groups that have one of these names, in full' }),
  }),
  status: 200,
  response: z.array(groupRead),
  handle: ({ query, account }, { checkGroups }) =>
    pageOf(checkGroups.list(query), query, ({ group, members }) =>
      readGroupView(group, members, account),
    ),
});

const readGroup = operation({
  id: 'readCheckGroup',
  method: 'get',
  path: '/v1/check-groups/{id}',
  tag,
  summary: 'Read a check group, with the ids of its checks',
  access: KEY,
  params,
  status: 200,
  response: groupRead,
  handle: ({ params: { id }, account }, { checkGroups }) => {
    const { group, members } = checkGroups.read(id);
    return { content: { json: readGroupView(group, members, account) } };
  },
});

/** What a group decides stands in its members, so both versions are the same. */
const updateGroup = (version: Version) =>
  operation({
    id: `updateCheckGroup${version.toUpperCase()}`,
    method: 'put',
    path: `/${version}/check-groups/{id}`,
    tag,
    summary: `Update a check group (${version})`,
    deprecated: version === 'v1',
    description:
      'Members left out stay as they were; an object that is sent replaces the old one whole.',
    access: KEY,
    params,
    query: writeQuery,
    body: { schema: groupUpdate },
    status: 200,
    response: groupView,
    handle: async ({ params: { id }, body, account }, { checkGroups }) => {
      const group = await checkGroups.change(id, body);
      return { content: { json: viewGroup(group, account) } };
    },
  });

const deleteGroup = operation({
  id: 'deleteCheckGroup',
  method: 'delete',
  path: '/v1/check-groups/{id}',
  tag,
  summary: 'Delete a check group',
  description: '409 while the group has checks: first delete them, or set their `groupId` to null.',
  access: KEY,
  params,
  status: 204,
  response: null,
  failures: [409],
  handle: async ({ params: { id } }, { checkGroups }) => {
    await checkGroups.delete(id);
    return {};
  },
});

const listGroupChecks = (version: Version) =>
  operation({
    id: `listCheckGroupChecks${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-groups/{id}/checks`,
    tag,
    summary: `List the checks of a group, its settings applied (${version})`,
    description:
      'By `groupOrder`, then in the order of creation. The header `Content-Range` has the total.',
    access: KEY,
    params,
    query: z.object({ limit: limit(100, 10), page }),
    status: 200,
    response: z.array(anyCheck),
    handle: ({ params: { id }, query, baseUrl }, { checkGroups, checks }) => {
      const options = { shape: version, baseUrl, dependencies: false };
      return pageOf(checkGroups.read(id).members, query, (check) =>
        viewCheck(checks.merged(check), options),
      );
    },
  });

const readGroupCheck = (version: Version) =>
  operation({
    id: `readCheckGroupCheck${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-groups/{groupId}/checks/{checkId}`,
    tag,
    summary: `Read a check of a group, the group’s settings applied (${version})`,
    description: '404 as well if the check is not in the group.',
    access: KEY,
    params: z.object({ groupId: numberParam, checkId: uuidParam }),
    status: 200,
    response: anyCheck,
    handle: ({ params: { groupId, checkId }, baseUrl }, { checkGroups }) => {
      const check = checkGroups.findMember(groupId, checkId);
      const options = { shape: version, baseUrl, dependencies: true };
      return { content: { json: viewCheck(check, options) } };
    },
  });

export const groupOperations = [
  ...VERSIONS.map(createGroup),
  listGroups,
  readGroup,
  ...VERSIONS.map(updateGroup),
  deleteGroup,
  ...VERSIONS.map(listGroupChecks),
  ...VERSIONS.map(readGroupCheck),
];

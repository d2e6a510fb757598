import { z } from 'zod';
import { limit, page } from '#shared/api/query.ts';
import { membersOf } from '#shared/groups/members.ts';
import { withGroup } from '#shared/groups/merge-group.ts';
import { KEY, type Operation, operation } from '../../operation.ts';
import { pageOf } from '../../pagination.ts';
import { findCheck, noSuchCheck, uuidParam } from '../checks/find-check.ts';
import { anyCheck } from '../checks/schemas.ts';
import { READ_VERSIONS } from '../checks/versions.ts';
import { viewCheck } from '../checks/view-check.ts';
import { findGroup, groupId, groupParams } from './find-group.ts';

/** The versions that the checks of a group are read in (contract A.3). */
const VERSIONS = READ_VERSIONS.filter(({ version }) => version !== 'v3');

/** `GET …/check-groups/{id}/checks` of both versions. */
export const listGroupChecks: readonly Operation[] = VERSIONS.map(({ version, shape }) =>
  operation({
    id: `listCheckGroupChecks${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-groups/{id}/checks`,
    tag: 'Check groups',
    summary: `List the checks of a group, its settings applied (${version})`,
    description:
      'By `groupOrder`, then in the order of creation. The header `Content-Range` has the total.',
    access: KEY,
    params: groupParams,
    query: z.object({ limit: limit(100, 10), page }),
    status: 200,
    response: z.array(anyCheck),
    handle: ({ params: { id }, query, baseUrl }, context) => {
      const group = findGroup(id, context);
      const members = membersOf(id, context.configuration.checks.all());
      const options = { shape, baseUrl, dependencies: false };
      return pageOf(members, query, (check) => viewCheck(withGroup(check, group), options));
    },
  }),
);

/** `GET …/check-groups/{groupId}/checks/{checkId}` of both versions. */
export const readGroupCheck: readonly Operation[] = VERSIONS.map(({ version, shape }) =>
  operation({
    id: `readCheckGroupCheck${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-groups/{groupId}/checks/{checkId}`,
    tag: 'Check groups',
    summary: `Read a check of a group, the group’s settings applied (${version})`,
    description: '404 also where the check is not in the group.',
    access: KEY,
    params: z.object({ groupId, checkId: uuidParam }),
    status: 200,
    response: anyCheck,
    handle: ({ params, baseUrl }, context) => {
      const group = findGroup(params.groupId, context);
      const check = findCheck(params.checkId, context);
      if (check.groupId !== params.groupId) {
        throw noSuchCheck(check.id, `check of the group ${params.groupId}`);
      }
      const options = { shape, baseUrl, dependencies: true };
      return { content: { json: viewCheck(withGroup(check, group), options) } };
    },
  }),
);

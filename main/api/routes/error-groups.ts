import { z } from 'zod';
import type { ErrorGroupScope } from '#main/services/error-groups.ts';
import { limit, page } from '#shared/api/query.ts';
import {
  errorGroup,
  errorGroupPatch,
  type StoredErrorGroup,
  testSessionErrorGroup,
  viewErrorGroup,
  viewTestSessionErrorGroup,
} from '#shared/error-groups/error-group.ts';
import { KEY, operation } from '../operation.ts';
import { listedPage } from '../pagination.ts';
import { checkIdParams, uuidParam } from '../params.ts';

const tag = 'Error groups';
const query = z.object({ limit: limit(100, 10), page });
const params = z.object({ id: uuidParam });

const LISTED =
  'The last seen first, without those that are archived. The header `Content-Range` has the total.';
const ARCHIVES =
  'Lists leave out what is archived. `archivedUntilNextEvent` holds until the next failure of the group, `archiveForEver` whatever comes; false brings it back.';

/** What both kinds of groups have: a list, one of them, and its change. */
function operationsOf(kind: {
  scope: ErrorGroupScope;
  path: string;
  /** In ids of operations. */
  name: string;
  noun: string;
  response: z.ZodObject;
  view(group: StoredErrorGroup): object;
}) {
  const { scope, path, name, noun, response, view } = kind;
  return [
    operation({
      id: `list${name}s`,
      method: 'get',
      path,
      tag,
      summary: `List the ${noun}s`,
      description: LISTED,
      access: KEY,
      query,
      status: 200,
      response: z.array(response),
      handle: async ({ query }, { errorGroups }) =>
        listedPage(await errorGroups.list(scope, query), query, view),
    }),
    operation({
      id: `read${name}`,
      method: 'get',
      path: `${path}/{id}`,
      tag,
      summary: `Read one of the ${noun}s`,
      access: KEY,
      params,
      status: 200,
      response,
      handle: async ({ params: { id } }, { errorGroups }) => ({
        content: { json: view(await errorGroups.find(scope, id)) },
      }),
    }),
    operation({
      id: `update${name}`,
      method: 'patch',
      path: `${path}/{id}`,
      tag,
      summary: `Archive one of the ${noun}s, or bring it back`,
      description: ARCHIVES,
      access: KEY,
      params,
      body: { schema: errorGroupPatch },
      status: 200,
      response,
      handle: async ({ params: { id }, body }, { errorGroups }) => ({
        content: { json: view(await errorGroups.change(scope, id, body)) },
      }),
    }),
  ];
}

const ofChecks = operationsOf({
  scope: 'checks',
  path: '/v1/error-groups',
  name: 'ErrorGroup',
  noun: 'error group',
  response: errorGroup,
  view: viewErrorGroup,
});

const listOfCheck = operation({
  id: 'listErrorGroupsOfCheck',
  method: 'get',
  path: '/v1/error-groups/checks/{checkId}',
  tag,
  summary: 'List the error groups of a check',
  description: LISTED,
  access: KEY,
  params: checkIdParams,
  query,
  status: 200,
  response: z.array(errorGroup),
  handle: async ({ params: { checkId }, query }, { errorGroups }) =>
    listedPage(await errorGroups.listOfCheck(checkId, query), query, viewErrorGroup),
});

const ofTestSessions = operationsOf({
  scope: 'testSessions',
  path: '/v1/test-session-error-groups',
  name: 'TestSessionErrorGroup',
  noun: 'error group of test session',
  response: testSessionErrorGroup,
  view: viewTestSessionErrorGroup,
});

const listOfProject = operation({
  id: 'listTestSessionErrorGroupsOfProject',
  method: 'get',
  path: '/v1/test-session-error-groups/projects/{projectId}',
  tag,
  summary: 'List the error groups of test sessions of a project',
  description: 'Watchpost has no projects, so the list is empty.',
  access: KEY,
  params: z.object({ projectId: uuidParam }),
  query,
  status: 200,
  response: z.array(testSessionErrorGroup),
  handle: ({ query }) => listedPage({ items: [], total: 0 }, query, viewTestSessionErrorGroup),
});

export const errorGroupOperations = [...ofChecks, listOfCheck, ...ofTestSessions, listOfProject];

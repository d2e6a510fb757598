import type { RequestHandler } from 'express';
import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { flag, limit, page, several } from '#shared/api/query.ts';
import { CHECK_KINDS, type Check, saysNothing } from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { anyCheck, CHECK_SCHEMAS, typedBody } from '#shared/checks/schemas.ts';
import { type ViewOptions, viewCheck } from '#shared/checks/view.ts';
import { KEY, operation } from '../operation.ts';
import { pageOf } from '../pagination.ts';
import { idParams } from '../params.ts';

const tag = 'Checks';

/** Taken on every write; it means something on creation only. */
export const writeQuery = z.object({ autoAssignAlerts: flag.default(true) });

const answer = (check: Check, options: ViewOptions) => ({
  content: { json: viewCheck(check, options) },
});

const createOfType = (type: CheckType) =>
  operation({
    id: `create${CHECK_KINDS[type].schemaName}`,
    method: 'post',
    path: `/v1/checks/${CHECK_KINDS[type].segment}`,
    tag,
    summary: `Create a check: ${CHECK_KINDS[type].noun}`,
    access: KEY,
    query: writeQuery,
    body: { schema: CHECK_SCHEMAS[type].create },
    status: 201,
    response: CHECK_SCHEMAS[type].read,
    handle: async ({ body, query, baseUrl }, { checks }) => {
      const check = await checks.create(type, body, query.autoAssignAlerts);
      return answer(check, { shape: 'mutation', baseUrl, dependencies: true });
    },
  });

/** The older way, which finds the type in the body. */
const createAnyCheck = operation({
  id: 'createCheck',
  method: 'post',
  path: '/v1/checks',
  tag,
  summary: 'Create a check; `checkType` of the body is its type',
  deprecated: true,
  description:
    'The routes of each type are the newer way. `name` and `checkType` are required. A `script` is kept with a check of any type.',
  access: KEY,
  query: writeQuery,
  body: {
    schema: z.union(CHECK_TYPES.map((type) => CHECK_SCHEMAS[type].genericCreate)),
    choose: ({ body }) => schemaFor(body),
  },
  status: 201,
  response: anyCheck,
  handle: async ({ body, query, baseUrl }, { checks }) => {
    const type = body.checkType as CheckType;
    const check = await checks.create(type, body, query.autoAssignAlerts);
    return answer(check, { shape: 'v1', baseUrl, dependencies: true });
  },
});

/** The schema of the type that a body names; without one, the schema that tells what is missing. */
function schemaFor(body: unknown): z.ZodType {
  const named = typedBody.pick({ checkType: true }).safeParse(body);
  return named.success ? CHECK_SCHEMAS[named.data.checkType].genericCreate : typedBody;
}

const UPDATE_RULE =
  'Members left out stay as they were; an object that is sent replaces the old one whole.';

const updateOfType = (type: CheckType) =>
  operation({
    id: `update${CHECK_KINDS[type].schemaName}`,
    method: 'put',
    path: `/v1/checks/${CHECK_KINDS[type].segment}/{id}`,
    tag,
    summary: `Update a check: ${CHECK_KINDS[type].noun}`,
    description: UPDATE_RULE,
    access: KEY,
    params: idParams,
    query: writeQuery,
    body: { schema: CHECK_SCHEMAS[type].update },
    status: 200,
    response: CHECK_SCHEMAS[type].read,
    handle: async ({ params: { id }, body, baseUrl }, { checks }) => {
      const check = await checks.change(id, body, type);
      return answer(check, { shape: 'mutation', baseUrl, dependencies: true });
    },
  });

/** 4.1. */
const updateAnyCheck = operation({
  id: 'updateCheck',
  method: 'put',
  path: '/v1/checks/{id}',
  tag,
  summary: 'Update a check of any type',
  deprecated: true,
  description: `${UPDATE_RULE} \`heartbeat\` is needed for a heartbeat check, \`script\` for one that runs a script; with another type \`heartbeat\` is ignored and \`script\` kept, and does nothing. Where it is needed, an empty one is ignored. The type of a check never changes.`,
  access: KEY,
  params: idParams,
  query: writeQuery,
  body: {
    schema: z.union(CHECK_TYPES.map((type) => CHECK_SCHEMAS[type].genericUpdate)),
    choose: ({ params, body }, { checks }) => {
      const { checkType } = checks.find(params.id as string);
      const { genericUpdate, genericRest } = CHECK_SCHEMAS[checkType];
      return saysNothing(checkType, body) ? genericRest : genericUpdate;
    },
  },
  status: 200,
  response: anyCheck,
  handle: async ({ params: { id }, body, baseUrl }, { checks }) =>
    answer(await checks.change(id, body), { shape: 'v1', baseUrl, dependencies: true }),
});

/** The versions that checks are read in: each shows a check in its own way. */
export const READ_VERSIONS = ['v1', 'v2', 'v3'] as const;
type ReadVersion = (typeof READ_VERSIONS)[number];

const listQuery = z.object({
  limit: limit(100, 10),
  page,
  checkType: z.enum(CHECK_TYPES).optional(),
  tag: several(z.string()).default([]).meta({ description: 'Checks that have one of these tags' }),
  search: z.string().max(500).optional().meta({ description: 'Part of the name, in any case' }),
  status: z.enum(['passing', 'failing', 'degraded']).optional(),
  apiCheckUrlFilterPattern: z
    .string()
    .min(1)
    .max(2_048)
    .optional()
    .meta({ description: 'API checks whose URL has this part' }),
  applyGroupSettings: flag.default(false),
});

const listChecks = (version: ReadVersion) =>
  operation({
    id: `listChecks${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/checks`,
    tag,
    summary: `List checks (${version})`,
    description:
      'In the order of creation, page by page. The header `Content-Range` has the total: `0-24/57`.',
    access: KEY,
    query: listQuery,
    status: 200,
    response: z.array(anyCheck),
    handle: ({ query, baseUrl }, { checks }) => {
      const options: ViewOptions = { shape: version, baseUrl, dependencies: false };
      return pageOf(checks.list(query), query, (check) =>
        viewCheck(query.applyGroupSettings ? checks.merged(check) : checks.shown(check), options),
      );
    },
  });

const readQuery = z.object({
  includeDependencies: flag
    .default(false)
    .meta({ description: 'Whether the contents of `dependencies` are shown' }),
  applyGroupSettings: flag.default(false),
});

const readCheck = (version: ReadVersion) =>
  operation({
    id: `readCheck${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/checks/{id}`,
    tag,
    summary: `Read a check (${version})`,
    access: KEY,
    params: idParams,
    query: readQuery,
    status: 200,
    response: anyCheck,
    handle: ({ params: { id }, query, baseUrl }, { checks }) => {
      const check = checks.find(id);
      return answer(query.applyGroupSettings ? checks.merged(check) : check, {
        shape: version,
        baseUrl,
        dependencies: query.includeDependencies,
      });
    },
  });

const deleteCheck = operation({
  id: 'deleteCheck',
  method: 'delete',
  path: '/v1/checks/{id}',
  tag,
  summary: 'Delete a check and its history',
  access: KEY,
  params: idParams,
  status: 204,
  response: null,
  handle: async ({ params: { id } }, { checks }) => {
    await checks.delete(id);
    return {};
  },
});

export const checkOperations = [
  ...CHECK_TYPES.map(createOfType),
  createAnyCheck,
  ...CHECK_TYPES.map(updateOfType),
  updateAnyCheck,
  ...READ_VERSIONS.map(listChecks),
  ...READ_VERSIONS.map(readCheck),
  deleteCheck,
];

const SEGMENTS: readonly string[] = CHECK_TYPES.map((type) => CHECK_KINDS[type].segment);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** 404 that lists the types, for a route of a type that does not exist: `POST /v1/checks/http`. */
export const refuseUnknownType: RequestHandler<{ segment: string }> = (
  { params },
  _response,
  next,
) => {
  const { segment } = params;
  if (SEGMENTS.includes(segment.toLowerCase()) || UUID.test(segment)) return next();
  const named = JSON.stringify(segment.slice(0, 50));
  throw notFound(`There is no check type ${named} here; the types are ${SEGMENTS.join(', ')}`);
};

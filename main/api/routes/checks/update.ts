import { z } from 'zod';
import { type Check, saysNothing } from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { type Context, KEY, type Operation, operation } from '../../operation.ts';
import { writeQuery } from './create.ts';
import { changedCheck } from './draft.ts';
import { findCheck, idParams, noSuchCheck } from './find-check.ts';
import { checkKey, keepCheck, refuseBrokenRules, refuseUnknownIds } from './keep-check.ts';
import { CHECK_ROUTES } from './routes.ts';
import { anyCheck, CHECK_SCHEMAS, type Members } from './schemas.ts';
import { viewCheck } from './view-check.ts';

const UPDATE_RULE =
  'Members left out stay as they were; an object that is sent replaces the old one whole.';

/** `PUT /v1/checks/{type}/{id}` of each type. */
export const updateOperations: readonly Operation[] = CHECK_TYPES.map((type) => {
  const { segment, schema, noun } = CHECK_ROUTES[type];
  return operation({
    id: `update${schema}`,
    method: 'put',
    path: `/v1/checks/${segment}/{id}`,
    tag: 'Checks',
    summary: `Update a check: ${noun}`,
    description: UPDATE_RULE,
    access: KEY,
    params: idParams,
    query: writeQuery,
    body: { schema: CHECK_SCHEMAS[type].update },
    status: 200,
    response: CHECK_SCHEMAS[type].read,
    handle: async ({ params, body, baseUrl }, context) => {
      const check = await update(params.id, body, context, type);
      const options = { shape: 'mutation', baseUrl, dependencies: true } as const;
      return { content: { json: viewCheck(check, options) } };
    },
  });
});

/** 4.1. */
export const updateAnyCheck = operation({
  id: 'updateCheck',
  method: 'put',
  path: '/v1/checks/{id}',
  tag: 'Checks',
  summary: 'Update a check of any type',
  deprecated: true,
  description: `${UPDATE_RULE} \`heartbeat\` is needed for a heartbeat check, \`script\` for one that runs a script; with another type \`heartbeat\` is ignored and \`script\` kept, and does nothing. Where it is needed, an empty one is ignored. The type of a check never changes.`,
  access: KEY,
  params: idParams,
  query: writeQuery,
  body: {
    schema: z.union(CHECK_TYPES.map((type) => CHECK_SCHEMAS[type].genericUpdate)),
    choose: ({ params, body }, context) => {
      const { checkType } = findCheck(params.id as string, context);
      const { genericUpdate, genericRest } = CHECK_SCHEMAS[checkType];
      return saysNothing(checkType, body) ? genericRest : genericUpdate;
    },
  },
  status: 200,
  response: anyCheck,
  handle: async ({ params, body, baseUrl }, context) => {
    const check = await update(params.id, body, context);
    return { content: { json: viewCheck(check, { shape: 'v1', baseUrl, dependencies: true }) } };
  },
});

/** Changes a check, which is of the type given where one is. */
function update(id: string, body: Members, context: Context, type?: CheckType): Promise<Check> {
  return context.mutex(checkKey(id), async () => {
    const check = findCheck(id, context);
    if (type !== undefined && check.checkType !== type) {
      throw noSuchCheck(id, CHECK_ROUTES[type].noun);
    }
    refuseUnknownIds(body, context);
    const changed = changedCheck(check, body, context.clock.now());
    refuseBrokenRules(changed, check);
    return keepCheck(() => changed, context);
  });
}

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { flag } from '#shared/api/query.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import {
  type Context,
  type Input,
  KEY,
  type Operation,
  operation,
  type Reply,
} from '../../operation.ts';
import { withAutoSubscriptions } from '../alert-channels/auto-subscribe.ts';
import { newCheck } from './draft.ts';
import { keepCheck, refuseUnknownIds } from './keep-check.ts';
import { CHECK_ROUTES } from './routes.ts';
import { anyCheck, CHECK_SCHEMAS, type Members, typedBody } from './schemas.ts';
import { type ViewShape, viewCheck } from './view-check.ts';

/** Taken on every write; it means something on creation only (contract 1.1). */
export const writeQuery = z.object({ autoAssignAlerts: flag.default(true) });

type WriteInput = Input<unknown, z.output<typeof writeQuery>, Members>;

/** `POST /v1/checks/{type}` of each type. */
export const createOperations: readonly Operation[] = CHECK_TYPES.map((type) => {
  const { segment, schema, noun } = CHECK_ROUTES[type];
  return operation({
    id: `create${schema}`,
    method: 'post',
    path: `/v1/checks/${segment}`,
    tag: 'Checks',
    summary: `Create a check: ${noun}`,
    access: KEY,
    query: writeQuery,
    body: { schema: CHECK_SCHEMAS[type].create },
    status: 201,
    response: CHECK_SCHEMAS[type].read,
    handle: (input, context) => create(type, input, context, 'mutation'),
  });
});

/** The older `POST /v1/checks`, which finds the type in the body (contract A.2). */
export const createAnyCheck = operation({
  id: 'createCheck',
  method: 'post',
  path: '/v1/checks',
  tag: 'Checks',
  summary: 'Create a check of the type that the body names',
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
  handle: (input, context) => create(input.body.checkType as CheckType, input, context, 'v1'),
});

/** The schema of the type that a body names; without one, the schema that tells what is missing. */
function schemaFor(body: unknown): z.ZodType {
  const named = typedBody.pick({ checkType: true }).safeParse(body);
  return named.success ? CHECK_SCHEMAS[named.data.checkType].genericCreate : typedBody;
}

async function create(
  type: CheckType,
  { body, query, baseUrl }: WriteInput,
  context: Context,
  shape: ViewShape,
): Promise<Reply> {
  refuseUnknownIds(body, context);
  const identity = { id: randomUUID(), now: context.clock.now(), pingToken: randomUUID() };
  const named = newCheck(type, body, identity);
  const subscribed = () => withAutoSubscriptions(named, query.autoAssignAlerts, context);
  const check = await keepCheck(subscribed, context);
  return { content: { json: viewCheck(check, { shape, baseUrl, dependencies: true }) } };
}

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { nextNumericId } from '#main/services/next-id.ts';
import { notFound } from '#main/services/service-error.ts';
import {
  checkTrigger,
  groupTrigger,
  TOKEN_BYTES,
  type Trigger,
  type TriggerTarget,
  viewTrigger,
} from '#shared/sessions/trigger.ts';
import { type Context, KEY, type Operation, operation } from '../../operation.ts';
import { findGroup, groupId } from '../check-groups/find-group.ts';
import { checkIdParams, findCheck } from '../checks/find-check.ts';
import { TRIGGERS, triggerOf } from './find-trigger.ts';

interface Managed<P extends z.ZodObject> {
  /** In the ids of the operations. */
  name: string;
  noun: string;
  path: string;
  params: P;
  response: z.ZodType;
  /** What the parameters name; 404 where it does not exist. */
  find(params: z.output<P>, context: Context): TriggerTarget;
}

/** Making, reading and ending the triggers of checks and of groups (contract 1.2, 15.2). */
export const managementOperations: readonly Operation[] = [
  ...operationsOf({
    name: 'CheckTrigger',
    noun: 'check',
    path: '/v1/triggers/checks/{checkId}',
    params: checkIdParams,
    response: checkTrigger,
    find: ({ checkId }, context) => ({ checkId: findCheck(checkId, context).id }),
  }),
  ...operationsOf({
    name: 'CheckGroupTrigger',
    noun: 'check group',
    path: '/v1/triggers/check-groups/{groupId}',
    params: z.object({ groupId }),
    response: groupTrigger,
    find: ({ groupId }, context) => ({ groupId: Number(findGroup(groupId, context).id) }),
  }),
];

function operationsOf<P extends z.ZodObject>(managed: Managed<P>): Operation[] {
  return [createOperation(managed), readOperation(managed), deleteOperation(managed)];
}

function createOperation<P extends z.ZodObject>(managed: Managed<P>): Operation {
  const { name, noun, response, find } = managed;
  return operation({
    ...routeOf(managed),
    id: `create${name}`,
    method: 'post',
    summary: `Make a URL that runs a ${noun} without a key`,
    description: `Answers the trigger that the ${noun} has, if it has one. Its URL holds the token, which is a secret.`,
    status: 201,
    response,
    failures: [503],
    handle: ({ params }, context) =>
      context.mutex(TRIGGERS, async () => {
        const target = find(params as z.output<P>, context);
        const trigger = triggerOf(target, context.configuration) ?? (await make(target, context));
        return { content: { json: viewTrigger(trigger) } };
      }),
  });
}

function readOperation<P extends z.ZodObject>(managed: Managed<P>): Operation {
  const { name, noun, response } = managed;
  return operation({
    ...routeOf(managed),
    id: `read${name}`,
    method: 'get',
    summary: `Read the trigger of a ${noun}`,
    status: 200,
    response,
    handle: ({ params }, context) => {
      const trigger = findTrigger(managed, params as z.output<P>, context);
      return { content: { json: viewTrigger(trigger) } };
    },
  });
}

function deleteOperation<P extends z.ZodObject>(managed: Managed<P>): Operation {
  const { name, noun } = managed;
  return operation({
    ...routeOf(managed),
    id: `delete${name}`,
    method: 'delete',
    summary: `End the trigger of a ${noun}`,
    description: 'Its URL stops working at once; a new trigger has another one.',
    status: 204,
    response: null,
    failures: [503],
    handle: ({ params }, context) =>
      context.mutex(TRIGGERS, async () => {
        const trigger = findTrigger(managed, params as z.output<P>, context);
        await context.configuration.triggers.delete(trigger.id);
        return {};
      }),
  });
}

function routeOf<P extends z.ZodObject>({ path, params }: Managed<P>) {
  return { path, params, tag: 'Triggers', access: KEY, deprecated: true } as const;
}

/** The trigger of what the parameters name; 404 where there is none. */
function findTrigger<P extends z.ZodObject>(
  { noun, find }: Managed<P>,
  params: z.output<P>,
  context: Context,
): Trigger {
  const trigger = triggerOf(find(params, context), context.configuration);
  if (trigger === undefined) throw notFound(`This ${noun} has no trigger`);
  return trigger;
}

async function make(target: TriggerTarget, context: Context): Promise<Trigger> {
  const { configuration, clock } = context;
  const id = await nextNumericId('triggers', configuration.triggers, configuration);
  const trigger = {
    id: String(id),
    token: randomBytes(TOKEN_BYTES).toString('base64url'),
    target,
    created_at: new Date(clock.now()).toISOString(),
    called_at: null,
  };
  await configuration.triggers.put(trigger);
  return trigger;
}

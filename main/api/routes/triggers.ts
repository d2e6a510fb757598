import { z } from 'zod';
import { MAX_TRIGGER_CALLS } from '#main/services/triggers.ts';
import {
  checkTrigger,
  groupTrigger,
  type TriggerTarget,
  triggerOutcome,
  viewTrigger,
} from '#shared/sessions/trigger.ts';
import { KEY, type Operation, openTo, operation } from '../operation.ts';
import { checkIdParams, numberParam } from '../params.ts';

interface Managed<P extends z.ZodObject> {
  /** In the ids of the operations. */
  name: string;
  noun: string;
  path: string;
  params: P;
  response: z.ZodType;
  targetOf(params: z.output<P>): TriggerTarget;
}

/** Making, reading and ending the triggers of checks and of groups. */
const managementOperations: readonly Operation[] = [
  ...operationsOf({
    name: 'CheckTrigger',
    noun: 'check',
    path: '/v1/triggers/checks/{checkId}',
    params: checkIdParams,
    response: checkTrigger,
    targetOf: ({ checkId }) => ({ checkId }),
  }),
  ...operationsOf({
    name: 'CheckGroupTrigger',
    noun: 'check group',
    path: '/v1/triggers/check-groups/{groupId}',
    params: z.object({ groupId: numberParam }),
    response: groupTrigger,
    targetOf: ({ groupId }) => ({ groupId }),
  }),
];

function operationsOf<P extends z.ZodObject>(managed: Managed<P>): Operation[] {
  const { name, noun, path, params, response } = managed;
  const route = { path, params, tag: 'Triggers', access: KEY, deprecated: true } as const;
  const targetOf = (input: unknown) => managed.targetOf(input as z.output<P>);
  return [
    operation({
      ...route,
      id: `create${name}`,
      method: 'post',
      summary: `Make a URL that runs a ${noun} without a key`,
      description: `Answers the trigger that the ${noun} has, if it has one. Its URL holds the token, which is a secret.`,
      status: 201,
      response,
      failures: [503],
      handle: async ({ params }, { triggers }) => ({
        content: { json: viewTrigger(await triggers.create(targetOf(params))) },
      }),
    }),
    operation({
      ...route,
      id: `read${name}`,
      method: 'get',
      summary: `Read the trigger of a ${noun}`,
      status: 200,
      response,
      handle: ({ params }, { triggers }) => ({
        content: { json: viewTrigger(triggers.find(targetOf(params))) },
      }),
    }),
    operation({
      ...route,
      id: `delete${name}`,
      method: 'delete',
      summary: `End the trigger of a ${noun}`,
      description: 'The URL stops working at once. A new trigger gets another URL.',
      status: 204,
      response: null,
      failures: [503],
      handle: async ({ params }, { triggers }) => {
        await triggers.delete(targetOf(params));
        return {};
      },
    }),
  ];
}

const text = z.string().max(2_048).optional();

/** What deployment hooks send along. Most of it is accepted and changes nothing. */
const callQuery = z.object({
  deployment: text,
  repository: text,
  sha: text,
  deploymentId: text,
  environmentUrl: text.meta({ description: 'Variable `ENVIRONMENT_URL` of the runs' }),
  environmentName: text.meta({ description: 'Variable `ENVIRONMENT_NAME` of the runs' }),
  runLocation: text.meta({
    description: 'Location to run at, instead of the locations of the checks',
  }),
});

const CALLS = [
  {
    id: 'callCheckTrigger',
    noun: 'check',
    path: '/checks/{id}/trigger/{token}',
    targetOf: (id: string): TriggerTarget => ({ checkId: id.toLowerCase() }),
  },
  {
    id: 'callCheckGroupTrigger',
    noun: 'check group',
    path: '/check-groups/{id}/trigger/{token}',
    // Only as a group is written: `1.0` and `0x1` are ids of nothing.
    targetOf: (id: string): TriggerTarget => ({ groupId: /^\d+$/.test(id) ? Number(id) : 0 }),
  },
] as const;

/** The URLs of triggers: run, wait for the end, tell how it went. */
const callOperations: readonly Operation[] = CALLS.map(({ id, noun, path, targetOf }) =>
  operation({
    id,
    method: 'get',
    path,
    tag: 'Triggers',
    summary: `Run a ${noun} by the URL of its trigger`,
    description: `Waits for the end: 200 where all passed, 503 with the same body where something failed, 408 where it takes more than 30 seconds (the runs go on). At most ${MAX_TRIGGER_CALLS} calls a minute. An unknown id and a wrong token are told alike.`,
    access: openTo('the token in the path is the secret; deployment hooks call it with plain curl'),
    refusesHead: true,
    // Plain texts: what is no id is answered as an id that nothing has.
    params: z.object({ id: z.string(), token: z.string() }),
    query: callQuery,
    status: 200,
    response: triggerOutcome,
    failures: [408, 503],
    handle: async ({ params, query }, { triggers }) => {
      const outcome = await triggers.call(targetOf(params.id), params.token, query);
      return { ...(outcome.hasFailures && { status: 503 }), content: { json: outcome } };
    },
  }),
);

export const triggerOperations: readonly Operation[] = [...managementOperations, ...callOperations];

import { z } from 'zod';
import type { Mutable } from '#main/services/mutes.ts';
import { muteBody, muteView } from '#shared/mutes/mute.ts';
import { KEY, type Operation, operation } from '../operation.ts';
import { numberParam, uuidParam } from '../params.ts';

interface Kind<P> {
  /** In ids of operations. */
  name: string;
  noun: string;
  path: string;
  params: P;
  target(id: string | number): Mutable;
}

/** How a mute of one kind of thing is read and set; whoever updates its `muted` to false ends it. */
function operationsOf<P extends z.ZodObject<{ id: z.ZodType<string | number> }>>({
  name,
  noun,
  path,
  params,
  target,
}: Kind<P>): Operation[] {
  const read = operation({
    id: `read${name}Mute`,
    method: 'get',
    path,
    tag: 'Appliance',
    summary: `Read until when a ${noun} is muted`,
    access: KEY,
    internal: true,
    params,
    status: 200,
    response: muteView,
    handle: ({ params: { id } }, { mutes }) => ({
      content: { json: { until: mutes.untilOf(target(id)) } },
    }),
  });
  const mute = operation({
    id: `mute${name}`,
    method: 'put',
    path,
    tag: 'Appliance',
    summary: `Mute a ${noun}, until a time or without an end`,
    access: KEY,
    internal: true,
    params,
    body: { schema: muteBody },
    status: 200,
    response: muteView,
    handle: async ({ params: { id }, body: { until } }, { mutes }) => ({
      content: { json: { until: await mutes.mute(target(id), until) } },
    }),
  });
  return [read, mute];
}

export const muteOperations = [
  ...operationsOf({
    name: 'Check',
    noun: 'check',
    path: '/app/checks/{id}/mute',
    params: z.object({ id: uuidParam }),
    target: (id) => ({ kind: 'check', id: String(id) }),
  }),
  ...operationsOf({
    name: 'Group',
    noun: 'check group',
    path: '/app/check-groups/{id}/mute',
    params: z.object({ id: numberParam }),
    target: (id) => ({ kind: 'group', id: Number(id) }),
  }),
];

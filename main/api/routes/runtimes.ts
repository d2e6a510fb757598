import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { RUNTIMES, runtime } from '#shared/checks/runtimes.ts';
import { openTo, operation } from '../operation.ts';

const FIXED = openTo('a fixed list that is the same for everyone');

export const listRuntimes = operation({
  id: 'listRuntimes',
  method: 'get',
  path: '/v1/runtimes',
  tag: 'Locations and runtimes',
  summary: 'List the runtimes',
  access: FIXED,
  status: 200,
  response: z.array(runtime),
  handle: () => ({ content: { json: RUNTIMES } }),
});

export const readRuntime = operation({
  id: 'readRuntime',
  method: 'get',
  path: '/v1/runtimes/{id}',
  tag: 'Locations and runtimes',
  summary: 'Read one runtime',
  access: FIXED,
  params: z.object({ id: z.string().min(1).max(50) }),
  status: 200,
  response: runtime,
  handle: ({ params: { id } }) => {
    const found = RUNTIMES.find(({ name }) => name === id);
    if (found === undefined) throw notFound(`No runtime is called ${id}`);
    return { content: { json: found } };
  },
});

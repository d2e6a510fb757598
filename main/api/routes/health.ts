import { z } from 'zod';
import { openTo, operation } from '../operation.ts';

const healthz = operation({
  id: 'healthz',
  method: 'get',
  path: '/healthz',
  tag: 'Appliance',
  summary: 'Whether the appliance answers',
  access: openTo('supervisors ask it; it tells nothing but that the process answers'),
  status: 200,
  response: z.object({ status: z.literal('ok') }),
  handle: () => ({ content: { json: { status: 'ok' } } }),
});

const readyz = operation({
  id: 'readyz',
  method: 'get',
  path: '/readyz',
  tag: 'Appliance',
  summary: 'Whether the appliance can write to its store',
  description:
    '503, with the reason, where it does not answer within 2 seconds, keeps nothing, or did not keep what happened lately. `warnings` say what is to be seen to: results that come faster than the history can write them, so that slots are skipped, a history that is nearly as large as it may be, and a clock that jumped so far that nothing is removed by it.',
  access: openTo('load balancers ask it; it tells nothing but that the store answers'),
  status: 200,
  response: z.object({
    status: z.literal('ready'),
    /** What an operator is to see to, though all is kept; missing where there is nothing. */
    warnings: z.array(z.string()).optional(),
  }),
  handle: async (_input, { health }) => {
    const warnings = await health.warnings();
    const json = { status: 'ready', ...(warnings.length > 0 && { warnings }) };
    return { content: { json } };
  },
});

export const healthOperations = [healthz, readyz];

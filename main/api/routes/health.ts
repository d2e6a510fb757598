import { z } from 'zod';
import { type StorageState, storageWarnings } from '#main/store/storage-state.ts';
import { STORE_TROUBLE, StoreError } from '#main/store/store-error.ts';
import { ApiError } from '../api-error.ts';
import { type Context, openTo, operation } from '../operation.ts';

const MAX_WAIT_MS = 2_000;

export const healthz = operation({
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

export const readyz = operation({
  id: 'readyz',
  method: 'get',
  path: '/readyz',
  tag: 'Appliance',
  summary: 'Whether the store keeps what it is given',
  description:
    '503, with the reason, where it does not answer within 2 seconds, keeps nothing, or did not keep what happened lately. `warnings` say what is to be seen to: a history that is nearly as large as it may be, and a clock that jumped so far that nothing is removed by it.',
  access: openTo('load balancers ask it; it tells nothing but that the store answers'),
  status: 200,
  response: z.object({
    status: z.literal('ready'),
    /** What an operator is to see to, though all is kept; missing where there is nothing. */
    warnings: z.array(z.string()).optional(),
  }),
  handle: async (_input, context) => {
    const warnings = storageWarnings(await storeAnswers(context));
    const json = { status: 'ready', ...(warnings.length > 0 && { warnings }) };
    return { content: { json } };
  },
});

/** What could not be kept may be larger than a mark, so both are asked. */
async function storeAnswers(context: Context): Promise<StorageState> {
  const { clock, configuration, history, monitor } = context;
  if (monitor.isStoreFailing) {
    throw new ApiError(503, 'The store fails: what happens waits in memory until it can be kept');
  }
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new ApiError(503, 'The store does not answer');
  const timer = clock.setTimeout(() => reject(error), MAX_WAIT_MS);
  const written = history.probe().catch((cause: unknown) => {
    throw new ApiError(503, `The store cannot keep anything: ${reasonOf(cause)}`, { cause });
  });
  const configured = configuration.probe().catch((cause: unknown) => {
    const what = 'No change of the configuration can be kept until a restart';
    throw new ApiError(503, `${what}: ${reasonOf(cause)}`, { cause });
  });
  try {
    const [state] = await Promise.race([Promise.all([written, configured]), late]);
    return state;
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Without the message, which may hold a path: anybody may ask. */
function reasonOf(error: unknown): string {
  return STORE_TROUBLE[error instanceof StoreError ? error.code : 'INTERNAL'].words;
}

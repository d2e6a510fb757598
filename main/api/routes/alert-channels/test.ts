import { z } from 'zod';
import { ApiError } from '../../api-error.ts';
import { KEY, operation } from '../../operation.ts';
import { channelParams, findChannel } from './read.ts';

/** The receiver's status and the time, and nothing that it wrote (threats 17). */
const tested = z.object({
  outcome: z.enum(['SUCCESS', 'FAILURE', 'RATE_LIMITED']),
  detail: z.string(),
});

export const testChannel = operation({
  id: 'testAlertChannel',
  method: 'post',
  path: '/app/alert-channels/{id}/test',
  tag: 'Alert channels',
  summary: 'Send a test notification over a channel',
  access: KEY,
  internal: true,
  params: channelParams,
  status: 200,
  response: tested,
  handle: async ({ params: { id } }, context) => {
    const sent = await context.channels.test(findChannel(id, context));
    if ('waitMs' in sent) {
      throw new ApiError(429, 'Too many tests within a minute', {
        headers: { 'retry-after': String(Math.ceil(sent.waitMs / 1_000)) },
      });
    }
    const { outcome, detail } = sent;
    return { content: { json: { outcome, detail } } };
  },
});

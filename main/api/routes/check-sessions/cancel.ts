import { cancelBody, refuseForeignSequences } from '../../cancellation.ts';
import { KEY, operation } from '../../operation.ts';
import { found, sessionParams } from './read.ts';

export const cancelSession = operation({
  id: 'cancelCheckSession',
  method: 'post',
  path: '/v1/check-sessions/{checkSessionId}/cancel',
  tag: 'Check sessions',
  summary: 'Cancel a check session',
  description:
    'What waits never runs; of what is under way the attempt in flight is the last. A session that is over stays as it is.',
  access: KEY,
  params: sessionParams,
  body: { schema: cancelBody },
  status: 204,
  response: null,
  failures: [503],
  handle: async ({ params: { checkSessionId }, body }, { sessions }) => {
    const { results } = found(await sessions.find(checkSessionId));
    refuseForeignSequences(body.sequenceId, results);
    await sessions.cancel(checkSessionId);
    return {};
  },
});

import { cancelBody, refuseForeignSequences } from '../../cancellation.ts';
import { KEY, operation } from '../../operation.ts';
import { found, testSessionParams } from './find.ts';

export const cancelTestSession = operation({
  id: 'cancelTestSession',
  method: 'post',
  path: '/v1/test-sessions/{testSessionId}/cancel',
  tag: 'Test sessions',
  summary: 'Cancel a test session',
  description:
    'What waits never runs; of what is under way the attempt in flight is the last. A test session that is over stays as it is.',
  access: KEY,
  params: testSessionParams,
  body: { schema: cancelBody },
  status: 204,
  response: null,
  failures: [503],
  handle: async ({ params: { testSessionId }, body }, { testSessions }) => {
    const { results } = found(await testSessions.find(testSessionId));
    refuseForeignSequences(body.sequenceId, results);
    await testSessions.cancel(testSessionId);
    return {};
  },
});

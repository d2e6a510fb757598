import { testSessionBody } from '#shared/sessions/test-session-body.ts';
import { testSession, viewTestSession } from '#shared/sessions/test-session-view.ts';
import { KEY, operation } from '../../operation.ts';
import { refuseUnknownLocation } from '../../run-location.ts';
import { chooseChecks } from '../check-sessions/choose-checks.ts';

export const triggerTestSession = operation({
  id: 'triggerTestSession',
  method: 'post',
  path: '/v1/test-sessions/trigger',
  tag: 'Test sessions',
  summary: 'Run checks once, apart from their schedule and history',
  description:
    'One run of each check that matches every member of `target`, with variables and retries of its own. Results are kept with the test session and change no check. A restart ends it CANCELLED. 429 while too many are open.',
  access: KEY,
  body: { schema: testSessionBody },
  status: 201,
  response: testSession,
  failures: [404, 503],
  handle: async ({ body, baseUrl }, context) => {
    const { target, name, runLocation, environmentVariables, retryStrategy, metadata } = body;
    const chosen = await chooseChecks(target, context, target);
    const checks = chosen.flatMap((one) => one.checks);
    refuseUnknownLocation(runLocation, checks, 'payload');
    const variables = environmentVariables ?? [];
    const options = { name, runLocation, variables, retryStrategy, metadata };
    const session = await context.testSessions.trigger(checks, options);
    return { content: { json: viewTestSession(session, { baseUrl, now: context.clock.now() }) } };
  },
});

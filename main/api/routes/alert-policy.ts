import { simulation, simulationBody } from '#shared/alerting/simulation.ts';
import { KEY, operation } from '../operation.ts';

export const simulatePolicy = operation({
  id: 'simulateAlertPolicy',
  method: 'post',
  path: '/app/alert-policy/simulate',
  tag: 'Appliance',
  summary: 'Simulate alert settings on the results of a past period',
  description:
    'At most 100 checks, 31 days and 500,000 results. Without a check: of those that follow the settings of the account, those with most alerts in the period first, as many as fit. One simulation at a time, and 429 where too many wait. It ends when the client hangs up. Each check is judged as if it had passed before the period and were neither muted nor deactivated; maintenance windows count.',
  access: KEY,
  internal: true,
  body: { schema: simulationBody },
  status: 200,
  response: simulation,
  failures: [404, 429],
  handle: async ({ body, isGone }, { alertPolicies }) => {
    const checkIds = body.checkId === undefined ? body.checkIds : [body.checkId];
    return { content: { json: await alertPolicies.simulate({ ...body, checkIds }, isGone) } };
  },
});

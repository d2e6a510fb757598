import { z } from 'zod';
import { flapSettings } from '#shared/alerting/flap-settings.ts';
import { policySummary } from '#shared/alerting/policy-summary.ts';
import { instant } from '#shared/api/query.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import { KEY, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';

const MAX_CHECKS = 100;

const moment = z.preprocess((at) => (typeof at === 'number' ? String(at) : at), instant);

const simulationBody = z
  .strictObject({
    checkId: uuidParam.optional(),
    checkIds: z.array(uuidParam).min(1).max(MAX_CHECKS).optional(),
    from: moment,
    to: moment,
    /** In place of those that apply to each check. */
    alertSettings: alertSettings.optional(),
    /** In place of the account's. */
    flapping: flapSettings.optional(),
  })
  .refine(({ checkId, checkIds }) => (checkId === undefined) !== (checkIds === undefined), {
    error: 'expected either checkId or checkIds',
  });

const simulation = z.object({
  checks: z.number(),
  /** Results and heartbeat events that were gone through. */
  outcomes: z.number(),
  /** With the settings as they are. */
  current: policySummary,
  simulated: policySummary,
  /** Milliseconds by which the first message of a failure comes later than now; negative: earlier. */
  laterMs: z.number().nullable(),
});

export const simulatePolicy = operation({
  id: 'simulateAlertPolicy',
  method: 'post',
  path: '/app/alert-policy/simulate',
  tag: 'Appliance',
  summary: 'Simulate alert settings on the results of a past period',
  description:
    'At most 100 checks, 31 days and 500,000 results; one simulation at a time, and 429 where too many wait. It ends when the client hangs up. Each check is judged as if it had passed before the period and were neither muted nor deactivated; maintenance windows count.',
  access: KEY,
  internal: true,
  body: { schema: simulationBody },
  status: 200,
  response: simulation,
  failures: [404, 429],
  handle: async ({ body, isGone }, { alertPolicies }) => {
    const checkIds = body.checkId === undefined ? (body.checkIds ?? []) : [body.checkId];
    return { content: { json: await alertPolicies.simulate({ ...body, checkIds }, isGone) } };
  },
});

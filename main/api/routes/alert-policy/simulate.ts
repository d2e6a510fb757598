import { z } from 'zod';
import { type AlertContext, alertContextOf, policyOf } from '#main/alerting/alert-context.ts';
import { refuseProblems } from '#main/services/service-error.ts';
import { type FlapSettings, flapSettings } from '#shared/alerting/flap-settings.ts';
import { instant } from '#shared/api/query.ts';
import { rangeProblems } from '#shared/api/time-range.ts';
import { type AlertSettings, alertSettings } from '#shared/checks/blocks.ts';
import { MaintenanceCalendar, maintenanceOf } from '#shared/maintenance/maintenance-rules.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { noSuchCheck, uuidParam } from '../checks/find-check.ts';
import { AwaitedPace } from './awaited-pace.ts';
import { OutcomeReader } from './outcomes.ts';
import { replayCheck } from './replay-checks.ts';
import { NOTHING_REPLAYED, policySummary, viewTotal, withCheck } from './summary.ts';

const MAX_CHECKS = 100;
const MAX_PERIOD_MS = 31 * 86_400_000;

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
type SimulationBody = z.output<typeof simulationBody>;

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

/** What other alert settings would have sent: the same decisions, over the results that are kept. */
export const simulatePolicy = operation({
  id: 'simulateAlertPolicy',
  method: 'post',
  path: '/app/alert-policy/simulate',
  tag: 'Appliance',
  summary: 'Try alert settings on a period of the past',
  description:
    'At most 100 checks, 31 days and 500,000 results; one simulation at a time, and 429 where too many wait. It ends when the client hangs up. Each check is judged as if it had passed before the period and were neither muted nor deactivated; maintenance windows count.',
  access: KEY,
  internal: true,
  body: { schema: simulationBody },
  status: 200,
  response: simulation,
  failures: [404, 429],
  handle: ({ body, isGone }, context) =>
    context.simulations.take(
      async () => ({ content: { json: await simulate(body, new AwaitedPace(isGone), context) } }),
      isGone,
    ),
});

async function simulate(body: SimulationBody, pace: AwaitedPace, context: Context) {
  const window = { from: body.from, to: body.to };
  refuseProblems({
    source: 'payload',
    problems: rangeProblems(window, { maxMs: MAX_PERIOD_MS }),
  });
  const subjects = alertContextsOf(body, context);
  const silenced = silencedIn(context);
  const reader = new OutcomeReader(context.history);
  let current = NOTHING_REPLAYED;
  let simulated = NOTHING_REPLAYED;
  for (const { check } of subjects) {
    await pace.rest();
    const policies = policiesOf(check, body, context);
    const replayed = { check, policies, silencedAt: (at: number) => silenced(check, at) };
    const [now, then] = await replayCheck(replayed, window, { reader, pace });
    if (now) current = withCheck(current, check.id, now);
    if (then) simulated = withCheck(simulated, check.id, then);
  }
  const answer = { current: viewTotal(current), simulated: viewTotal(simulated) };
  const laterMs = between(answer.current.firstFailureToldAt, answer.simulated.firstFailureToldAt);
  return { checks: subjects.length, outcomes: reader.count, ...answer, laterMs };
}

function alertContextsOf(
  { checkId, checkIds = [] }: SimulationBody,
  context: Context,
): AlertContext[] {
  const ids = new Set(checkId === undefined ? checkIds : [checkId]);
  return [...ids].map((id) => {
    const subject = alertContextOf(id, context.configuration);
    if (subject === undefined) throw noSuchCheck(id);
    return subject;
  });
}

/** As it is, and as it would be. */
function policiesOf(
  check: AlertContext['check'],
  { alertSettings: settings, flapping }: { alertSettings?: AlertSettings; flapping?: FlapSettings },
  { configuration }: Context,
) {
  const current = policyOf({ ...check, muted: false }, false, configuration);
  return [
    current,
    { ...current, ...(settings && { settings }), ...(flapping && { flapping }) },
  ] as const;
}

/** A calendar of its own: going through the past must not disturb the one that looks at now. */
function silencedIn({ configuration }: Context) {
  const calendar = new MaintenanceCalendar(configuration.maintenanceWindows.all());
  return ({ tags }: { tags: readonly string[] }, at: number) =>
    maintenanceOf(tags, calendar, at).silenced;
}

function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}

import { z } from 'zod';
import { instant } from '#shared/api/query.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import { flapSettings } from './flap-settings.ts';
import { policySummary } from './policy-summary.ts';

/** Most checks of one simulation. */
export const MAX_SIMULATED_CHECKS = 100;

const moment = z.preprocess((at) => (typeof at === 'number' ? String(at) : at), instant);
const checkId = z.guid().toLowerCase();

/** Settings to try on a period; without a check on those that follow the account's settings. */
export const simulationBody = z
  .strictObject({
    checkId: checkId.optional(),
    checkIds: z.array(checkId).min(1).max(MAX_SIMULATED_CHECKS).optional(),
    from: moment,
    to: moment,
    /** In place of those that apply to each check. */
    alertSettings: alertSettings.optional(),
    /** In place of the account's. */
    flapping: flapSettings.optional(),
  })
  .refine(({ checkId: one, checkIds: several }) => one === undefined || several === undefined, {
    error: 'expected checkId or checkIds, and not both',
  });

export const simulation = z.object({
  /** Those that were gone through. */
  checks: z.number(),
  /** Those that were asked for; more where they are too many for one simulation. */
  ofChecks: z.number(),
  /** Results and heartbeat events that were gone through. */
  outcomes: z.number(),
  /** With the settings as they are. */
  current: policySummary,
  simulated: policySummary,
  /** Milliseconds by which the first message of a failure comes later than now; negative: earlier. */
  laterMs: z.number().nullable(),
});
export type Simulation = z.output<typeof simulation>;

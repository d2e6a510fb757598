import { z } from 'zod';
import { flapSettings } from '#shared/alerting/flap-settings.ts';
import { alertSettings, retryStrategy } from '#shared/checks/blocks.ts';
import { RUNTIME_IDS } from '#shared/checks/enums.ts';
import { retryProblems, withRules } from '#shared/checks/rules.ts';
import { stormSettings } from '#shared/notifications/storm-settings.ts';

const MAX_NAME = 255;

/** The default of checks that say nothing of retries; `FALLBACK`: their `doubleCheck` decides. */
const defaultStrategy = z.union([z.literal('FALLBACK'), retryStrategy]);

/** The settings of the account as the API answers them. */
export const accountSettings = z.object({
  id: z.guid(),
  name: z.string(),
  /** Of checks and groups that name none. */
  runtimeId: z.string(),
  retryStrategy: defaultStrategy,
  /** Of checks and groups with `useGlobalAlertSettings`. */
  alertSettings,
  /** When checks count as flapping. */
  flapping: flapSettings,
  /** The operator's, where the account has none of its own. */
  storms: stormSettings,
});
export type AccountSettings = z.output<typeof accountSettings>;

/** Unknown members are refused here, unlike in the public API: the UI must spell them right. */
const changeable = z.strictObject({
  name: z.string().min(1).max(MAX_NAME).optional(),
  runtimeId: z.enum(RUNTIME_IDS).optional(),
  retryStrategy: defaultStrategy.optional(),
  alertSettings: alertSettings.optional(),
  flapping: flapSettings.optional(),
  /** Null: those that the appliance was started with. */
  storms: stormSettings.nullable().optional(),
});
export const accountChanges = withRules(changeable, ({ retryStrategy }) =>
  retryProblems(retryStrategy),
);
export type AccountChanges = z.output<typeof accountChanges>;

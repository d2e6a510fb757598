import { z } from 'zod';
import type { Account, AccountChanges } from '#main/services/accounts.ts';
import { accountAlerting } from '#shared/alerting/account-alerting.ts';
import { flapSettings } from '#shared/alerting/flap-settings.ts';
import { alertSettings, retryStrategy } from '#shared/checks/blocks.ts';
import { RUNTIME_IDS } from '#shared/checks/enums.ts';
import { retryProblems, withRules } from '#shared/checks/rules.ts';
import { KEY, operation } from '../operation.ts';

const MAX_NAME = 255;

/** The default of checks that say nothing of retries; `FALLBACK`: their `doubleCheck` decides. */
const defaultStrategy = z.union([z.literal('FALLBACK'), retryStrategy]);

const accountSettings = z.object({
  id: z.guid(),
  name: z.string(),
  /** Of checks and groups that name none. */
  runtimeId: z.string(),
  retryStrategy: defaultStrategy,
  /** Of checks and groups with `useGlobalAlertSettings`. */
  alertSettings,
  /** When checks count as flapping. */
  flapping: flapSettings,
});

/** Unknown members are refused here, unlike in the public API: the UI must spell them right. */
const changeable = z.strictObject({
  name: z.string().min(1).max(MAX_NAME).optional(),
  runtimeId: z.enum(RUNTIME_IDS).optional(),
  retryStrategy: defaultStrategy.optional(),
  alertSettings: alertSettings.optional(),
  flapping: flapSettings.optional(),
});
const accountChanges = withRules(changeable, ({ retryStrategy }) => retryProblems(retryStrategy));
type Changes = z.output<typeof accountChanges>;

export const readAccountSettings = operation({
  id: 'readAccountSettings',
  method: 'get',
  path: '/app/account',
  tag: 'Appliance',
  summary: 'Read the settings of the account',
  access: KEY,
  internal: true,
  status: 200,
  response: accountSettings,
  handle: ({ account }) => ({ content: { json: viewSettings(account) } }),
});

export const changeAccountSettings = operation({
  id: 'updateAccountSettings',
  method: 'put',
  path: '/app/account',
  tag: 'Appliance',
  summary: 'Change the settings of the account',
  description:
    'Members left out stay as they were; members that are not known are refused. `alertSettings` and `flapping` replace the old ones whole, and count from the next run of each check on.',
  access: KEY,
  internal: true,
  body: { schema: accountChanges },
  status: 200,
  response: accountSettings,
  handle: async ({ body }, { accounts }) => ({
    content: { json: viewSettings(await accounts.change(changesOf(body))) },
  }),
});

function changesOf({ retryStrategy: strategy, ...others }: Changes): AccountChanges {
  if (strategy === undefined) return others;
  return { ...others, retryStrategy: strategy === 'FALLBACK' ? undefined : strategy };
}

function viewSettings(account: Account) {
  const { id, name, runtimeId, retryStrategy: strategy } = account;
  return {
    id,
    name,
    runtimeId,
    retryStrategy: strategy === undefined ? 'FALLBACK' : strategy,
    ...accountAlerting(account),
  };
}

import type { Account, AccountChanges } from '#main/services/accounts.ts';
import {
  accountChanges,
  accountSettings,
  type AccountChanges as Changes,
} from '#shared/accounts/account-settings.ts';
import { accountAlerting } from '#shared/alerting/account-alerting.ts';
import type { StormSettings } from '#shared/notifications/storm-settings.ts';
import { KEY, operation } from '../operation.ts';

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
  handle: ({ account }, { accounts }) => ({
    content: { json: viewSettings(account, accounts.storms()) },
  }),
});

export const changeAccountSettings = operation({
  id: 'updateAccountSettings',
  method: 'put',
  path: '/app/account',
  tag: 'Appliance',
  summary: 'Change the settings of the account',
  description:
    'Members left out stay as they were; members that are not known are refused. `alertSettings`, `flapping` and `storms` replace the old ones whole, and count from the next run of each check, or the next message, on; `storms: null` sets back to what the appliance was started with.',
  access: KEY,
  internal: true,
  body: { schema: accountChanges },
  status: 200,
  response: accountSettings,
  handle: async ({ body }, { accounts }) => ({
    content: { json: viewSettings(await accounts.change(changesOf(body)), accounts.storms()) },
  }),
});

/** What a body sets back is not there any more. */
function changesOf({ retryStrategy: strategy, storms, ...others }: Changes): AccountChanges {
  return {
    ...others,
    ...(strategy !== undefined && {
      retryStrategy: strategy === 'FALLBACK' ? undefined : strategy,
    }),
    ...(storms !== undefined && { storms: storms ?? undefined }),
  };
}

function viewSettings(account: Account, storms: StormSettings) {
  const { id, name, runtimeId, retryStrategy: strategy } = account;
  return {
    id,
    name,
    runtimeId,
    retryStrategy: strategy === undefined ? 'FALLBACK' : strategy,
    ...accountAlerting(account),
    storms,
  };
}

import { z } from 'zod';
import type { Account } from '#main/services/accounts.ts';
import { accountAlerting } from '#shared/alerting/account-alerting.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import { KEY, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';

const addon = z.object({ tier: z.literal('team'), tierDisplayName: z.string() });

/** The entitlements that clients ask for: a self-hosted account has all of them. */
const ALL = { tier: 'team', tierDisplayName: 'Self-hosted' } as const;
const PLAN = {
  plan: 'self-hosted',
  planDisplayName: 'Self-hosted',
  addons: { communicate: ALL, resolve: ALL },
};

/** An account. There is one. */
export const accountView = z.object({
  id: z.guid(),
  name: z.string(),
  /** Of checks that name none. */
  runtimeId: z.string(),
  plan: z.string(),
  planDisplayName: z.string(),
  addons: z.object({ communicate: addon, resolve: addon }),
  settings: z.object({}),
  alertSettings,
  features: z.array(z.string()),
});

export const listAccounts = operation({
  id: 'listAccounts',
  method: 'get',
  path: '/v1/accounts',
  tag: 'Accounts',
  summary: 'List the accounts of this key',
  access: KEY,
  status: 200,
  response: z.array(accountView),
  handle: ({ account }) => ({ content: { json: [viewAccount(account)] } }),
});

export const readMyAccount = operation({
  id: 'readMyAccount',
  method: 'get',
  path: '/v1/accounts/me',
  tag: 'Accounts',
  summary: 'Read the account of this key',
  access: KEY,
  status: 200,
  response: accountView,
  handle: ({ account }) => ({ content: { json: viewAccount(account) } }),
});

export const readAccount = operation({
  id: 'readAccount',
  method: 'get',
  path: '/v1/accounts/{accountId}',
  tag: 'Accounts',
  summary: 'Read an account by its id',
  access: KEY,
  params: z.object({ accountId: uuidParam }),
  status: 200,
  response: accountView,
  handle: ({ params: { accountId } }, { accounts }) => ({
    content: { json: viewAccount(accounts.find(accountId)) },
  }),
});

function viewAccount(account: Account): z.output<typeof accountView> {
  const { id, name, runtimeId } = account;
  const { alertSettings: settings } = accountAlerting(account);
  return { id, name, runtimeId, ...PLAN, settings: {}, alertSettings: settings, features: [] };
}

import { z } from 'zod';
import { orUnset } from '#shared/checks/unset.ts';
import { emailAddress } from '#shared/notifications/config.ts';
import { newMailing } from './incident-mailing.ts';
import type { StoredMailing } from './mailing.ts';

/** Most subscriptions of one page: a bound of ours. */
export const MAX_SUBSCRIPTIONS = 10_000;

export const SUBSCRIPTION_STATUSES = ['PENDING', 'VERIFIED'] as const;

/** What a reader sends to subscribe. */
export const subscribeForm = z.object({
  address: z.string().max(1_000).default(''),
  /** People do not see it: what fills it in is no person. */
  website: z.string().max(1_000).default(''),
});

/** Somebody who is told of the incidents of a page, as it is stored. Times are epoch ms. */
export const storedSubscription = z.object({
  /** UUIDv7 of `createdAt`. */
  id: z.guid(),
  pageId: z.guid(),
  /** In lower case; a page has each once. */
  address: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  /** What the links of its mails hold, to confirm and to end it. */
  token: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type StoredSubscription = z.output<typeof storedSubscription>;

/** An address that mails go to, in lower case: a page has each once, however somebody wrote it. */
export const subscriberAddress = emailAddress.max(254).toLowerCase();

const MAX_AT_ONCE = 100;

/** Body of `POST /v1/status-pages/{statusPageId}/subscriptions/bulk`. */
export const subscriptionsBody = z.object({
  subscriptions: z
    .array(
      z.object({
        type: z.literal('EMAIL'),
        config: subscriberAddress.meta({ description: 'The e-mail address.' }),
      }),
    )
    .min(1)
    .max(MAX_AT_ONCE),
  autoVerify: orUnset(z.boolean().default(false)).meta({
    description: 'Without it each address gets a mail that asks for a confirmation.',
  }),
});
export type SubscriptionsBody = z.output<typeof subscriptionsBody>;

export const subscriptionsOutcome = z.object({
  created: z.int(),
  skipped: z.int().meta({ description: 'Addresses that the page, or the body, has already.' }),
  status: z.enum(SUBSCRIPTION_STATUSES),
});

/** A subscription as the API answers it. */
export const pageSubscriptionView = z.object({
  id: z.guid(),
  type: z.literal('EMAIL'),
  address: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export function viewPageSubscription(
  subscription: StoredSubscription,
): z.output<typeof pageSubscriptionView> {
  const { id, address, status, createdAt, updatedAt } = subscription;
  const created_at = new Date(createdAt).toISOString();
  const updated_at = new Date(updatedAt).toISOString();
  return { id, type: 'EMAIL', address, status, created_at, updated_at };
}

/** The mail that asks whether a subscription is wanted. @param stamp as of {@link newMailing} */
export function confirmationMailing(
  { id: subscriptionId }: StoredSubscription,
  stamp: { id: string; at: number },
): StoredMailing {
  return newMailing(stamp, {
    key: `confirmation ${subscriptionId} ${stamp.id}`,
    pageIds: [],
    content: { kind: 'confirmation', subscriptionId },
  });
}

import { z } from 'zod';

/** Most subscriptions of one page: a bound of ours. */
export const MAX_SUBSCRIPTIONS = 10_000;

export const SUBSCRIPTION_STATUSES = ['PENDING', 'VERIFIED'] as const;

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

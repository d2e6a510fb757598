import { z } from 'zod';

/** So many certificates are remembered: several servers may take turns in answering one domain. */
export const MAX_CERTIFICATES = 8;

/** A certificate of which it was said that it ends soon; a renewed one has another `notAfter`. */
const announced = z.strictObject({
  domain: z.string().max(2_048),
  /** Epoch milliseconds. */
  notAfter: z.number(),
  /** The thresholds, in days, that were said to be reached. */
  thresholds: z.array(z.int().min(0).max(365)).max(366),
});

/** What was said of the certificates that a check met; the latest last. Kept as the alert state is. */
export const sslState = z.strictObject({
  announced: z.array(announced).max(MAX_CERTIFICATES),
});
export type SslState = z.output<typeof sslState>;

export const initialSslState: SslState = { announced: [] };

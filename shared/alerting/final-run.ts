import { z } from 'zod';
import { STANDINGS } from './alert-type.ts';

/**
 * What alerts go by of a FINAL result: small enough to be kept with a run until the last of its
 * locations is over. It comes back from a file, so it passes a schema.
 */
export const finalRun = z.object({
  /** Null of a heartbeat. */
  resultId: z.string().nullable(),
  /** The event of a heartbeat; missing of other checks. */
  eventId: z.string().optional(),
  verdict: z.enum([...STANDINGS, 'inconclusive']),
  /** Its code; null of a heartbeat. */
  location: z.string().nullable(),
  /** Epoch ms: when it began, and when it was judged. */
  startedAt: z.number(),
  settledAt: z.number(),
  /** Milliseconds. */
  responseTime: z.number().nullable(),
  statusCode: z.number().nullable(),
  /** What was wrong, in a sentence. */
  error: z.string().nullable(),
});
export type FinalRun = z.output<typeof finalRun>;

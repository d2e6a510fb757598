import { z } from 'zod';

/** How much room the history takes, and whether its clock is trusted. */
export const storageView = z.object({
  /** What the history takes and may take, in bytes. */
  usedBytes: z.number(),
  budgetBytes: z.number(),
  /** False while nothing is removed for its age. */
  isClockBelieved: z.boolean(),
  warnings: z.array(z.string()),
  /** Of each kind of history: measured within the last ten minutes. */
  kinds: z.array(
    z.object({
      kind: z.string(),
      bytes: z.number(),
      /** How long it stays, and within how many bytes of its own. */
      days: z.number(),
      maxBytes: z.number().nullable(),
      oldestAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type StorageView = z.output<typeof storageView>;

import { z } from 'zod';

/** What is wrong with a script's text. */
export const scriptVerdict = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    message: z.string(),
    /** From 1; null where the trouble is in no one place. */
    line: z.int().positive().nullable(),
    column: z.int().positive().nullable(),
  }),
]);
export type ScriptVerdict = z.output<typeof scriptVerdict>;

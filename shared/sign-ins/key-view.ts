import { z } from 'zod';

/** An API key as it is listed. */
export const keyView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The first characters, to tell keys apart. */
  prefix: z.string(),
  created_at: z.iso.datetime(),
  /** When it was used last; null: not since the start of the appliance. */
  used_at: z.iso.datetime().nullable(),
});
export type KeyView = z.output<typeof keyView>;

/** A key that was made: it is shown only now. */
export const newKey = z.object({ id: z.uuid(), key: z.string() });

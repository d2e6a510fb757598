import { z } from 'zod';

/** What the operator set, as it is shown: no secret is in it. */
export const shownSetting = z.object({
  /** In `config.json`. */
  name: z.string(),
  env: z.string(),
  /** Null where no flag sets it. */
  flag: z.string().nullable(),
  description: z.string(),
  /** Null of a secret, and where nothing is set. */
  value: z.string().nullable(),
  isSecret: z.boolean(),
  /** Whether it is as it was delivered; of a secret: whether there is none. */
  isDefault: z.boolean(),
  /** What holds where nothing is set, in words. */
  defaultText: z.string(),
});
export type ShownSetting = z.output<typeof shownSetting>;

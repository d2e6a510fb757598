import { z } from 'zod';

/** When a check or a group that is muted is told of again by itself. */
export interface Mute {
  /** Of the check, a UUID, or of the group, a whole number in digits. */
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  until: string;
}

export const storedMute = z.looseObject({
  id: z.string().min(1),
  until: z.iso.datetime(),
}) satisfies z.ZodType<Mute>;

/** The end of a mute; null: it has none but an unmute. */
export const muteBody = z.object({ until: z.iso.datetime({ offset: true }).nullable() });

/** What a mute lasts until; null also of what is not muted. */
export const muteView = z.object({ until: z.iso.datetime().nullable() });
export type MuteView = z.output<typeof muteView>;

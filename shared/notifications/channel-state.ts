import { z } from 'zod';

/** Epoch milliseconds. */
const instant = z.number();

/** Whether a channel works. */
const channelHealth = z.strictObject({
  /** Notifications given up since the last that was told. */
  failedInRow: z.int().min(0),
  /** The first failed try since the last that was told. */
  failingSince: instant.nullable(),
  /** Null while the channel counts as working. */
  dead: z.strictObject({ probes: z.int().min(0), probeAt: instant }).nullable(),
});
export type ChannelHealth = z.output<typeof channelHealth>;

/**
 * What is known of a channel besides what it owes: plain JSON, kept with the notifications that
 * changed it, so that a restart does not report it again.
 */
export const channelState = z.strictObject({
  health: channelHealth,
  /** Written empty, as an older version needs it; what that one wrote is ignored. */
  incidents: z.array(z.unknown()).transform((): never[] => []),
});
export type ChannelState = z.output<typeof channelState>;

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

/** An incident that a message opened at a service which keeps incidents. */
const openIncident = z.strictObject({
  /** What the service knows it by. */
  key: z.string(),
  /** The checks that it tells of and that nobody was told of since that they recovered. */
  checkIds: z.array(z.string()).min(1),
});
export type OpenIncident = z.output<typeof openIncident>;

/**
 * What is known of a channel besides what it owes: plain JSON, kept with the notifications that
 * changed it, so that a restart neither reports it again nor leaves an incident open.
 */
export const channelState = z.strictObject({
  health: channelHealth,
  /** Oldest first. */
  incidents: z.array(openIncident),
});
export type ChannelState = z.output<typeof channelState>;

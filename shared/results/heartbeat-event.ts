import { z } from 'zod';
import { HEARTBEAT_STATES, type HeartbeatState } from '#shared/checks/enums.ts';

/** A ping, or a deadline that passed without one, as it is kept. */
export interface StoredHeartbeatEvent {
  /** UUIDv7 whose time is `timestamp`. */
  id: string;
  checkId: string;
  state: HeartbeatState;
  /** Epoch milliseconds of the ping's arrival or of the missed deadline. */
  timestamp: number;
  source: string | null;
  userAgent: string | null;
}

/** 2.13. */
export const heartbeatEvent = z.object({
  id: z.string(),
  state: z.enum(HEARTBEAT_STATES),
  timestamp: z.iso.datetime(),
  source: z.string().nullable(),
  userAgent: z.string().nullable(),
});

/** Percent of passing events of a period and of the one before it, each 0 to 100. */
export const heartbeatAvailability = z.object({
  successRatio: z.object({ previousPeriod: z.number(), currentPeriod: z.number() }),
  totalEntitiesCurrentPeriod: z.number(),
});
export type HeartbeatAvailability = z.output<typeof heartbeatAvailability>;

export const heartbeatStats = z.object({
  last24Hours: heartbeatAvailability.nullable(),
  last7Days: heartbeatAvailability.nullable(),
});

export type HeartbeatStats = z.output<typeof heartbeatStats>;

export function viewHeartbeatEvent(event: StoredHeartbeatEvent) {
  return {
    id: event.id,
    state: event.state,
    timestamp: new Date(event.timestamp).toISOString(),
    source: event.source,
    userAgent: event.userAgent,
  };
}

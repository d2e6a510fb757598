import type { HeartbeatState } from '#shared/check/enums.ts';
import type { Clock } from '#shared/clock.ts';
import type { KeptStatus } from '#shared/result/check-status.ts';
import type { Configuration } from '../store/configuration.ts';
import type { History } from '../store/history.ts';

/** What the API stands on; built once in the composition root and passed down. */
export interface Services {
  clock: Clock;
  configuration: Configuration;
  history: History;
  monitor: Monitor;
}

/** The running actors, as the API sees them. */
export interface Monitor {
  /** Where a check stands; undefined before its first FINAL result. */
  statusOf(checkId: string): KeptStatus | undefined;
  /**
   * Takes a ping of a heartbeat check. Its time is that of the call; resolves with the state it
   * was given once it is kept. Undefined where the check is unknown or not a heartbeat.
   */
  ping(checkId: string, ping: Ping): Promise<HeartbeatState | undefined>;
}

export interface Ping {
  source: string | null;
  userAgent: string | null;
}

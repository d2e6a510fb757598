import type { HeartbeatCheck } from '#shared/checks/check.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import type { Clock } from '#shared/clock.ts';

/** The context and the events of the heartbeat machine, and the records that it writes. */

/** The persisted state of a heartbeat, written with every record. */
export interface HeartbeatPersistedState {
  /** Epoch ms of the last ping or missed deadline; null before the first ping. */
  lastResetAt: number | null;
}

export interface HeartbeatInput {
  check: HeartbeatCheck;
  clock: Clock;
  memory: HeartbeatPersistedState;
}

export interface HeartbeatContext extends HeartbeatPersistedState {
  check: HeartbeatCheck;
  clock: Clock;
}

/** A ping with its state, or a miss. */
export interface HeartbeatRecord {
  check: HeartbeatCheck;
  state: HeartbeatState;
  /** Epoch ms. */
  at: number;
  source: string | null;
  userAgent: string | null;
  memory: HeartbeatPersistedState;
}

export interface PingEvent {
  type: 'PING';
  /** When it arrived, epoch ms. */
  at: number;
  source: string | null;
  userAgent: string | null;
  /** Called at once with the state of the ping; `kept` resolves once it is written. */
  reply(state: HeartbeatState, kept: Promise<void>): void;
}

export type HeartbeatEvent =
  | PingEvent
  | { type: 'EDITED'; check: HeartbeatCheck }
  /** The machine slept, or its clock was set. */
  | { type: 'CLOCK_JUMPED' };

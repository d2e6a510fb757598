/** How much history is kept. Days count back from now; bytes are those of the stored bodies. */
export interface Retention {
  /** Numbers of results, skipped slots, alerts, notifications, sessions and test sessions. */
  resultDays: number;
  heartbeatDays: number;
  /** Bodies of runs. */
  detailDays: number;
  /** All bodies together: when there are more, the oldest go, those of passing runs first. */
  detailBytes: number;
}

/** 30 days as the contract keeps raw results (1.1), and 2 GiB of bodies. */
export const DEFAULT_RETENTION: Retention = {
  resultDays: 30,
  heartbeatDays: 30,
  detailDays: 30,
  detailBytes: 2 * 1024 ** 3,
};

const DAY_MS = 86_400_000;

/** Epoch ms before which `days` have passed at `now`. */
export function cutoff(now: number, days: number): number {
  return now - days * DAY_MS;
}

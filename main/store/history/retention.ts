/** How much history is kept. Days count back from now. */
export interface Retention {
  /** Numbers of results, skipped slots, alerts, notifications, sessions and test sessions. */
  resultDays: number;
  heartbeatDays: number;
  /** Sums of days. */
  rollUpDays: number;
  /** Bodies of runs. */
  detailDays: number;
  /** All bodies together: when there are more, the oldest go, those of passing runs first. */
  detailBytes: number;
  /** Artifacts. */
  artifactDays: number;
  /** The contents of all artifacts: when there are more, the oldest go, those of passing runs first. */
  artifactBytes: number;
  /** All of history in its file: when there is more, the oldest results and pings go. */
  historyBytes: number;
}

/** 30 days, their sums 400, and 10 GiB, 2 of them bodies; artifacts 14 days within 5 GiB of their own. */
export const DEFAULT_RETENTION: Retention = {
  resultDays: 30,
  heartbeatDays: 30,
  rollUpDays: 400,
  detailDays: 30,
  detailBytes: 2 * 1024 ** 3,
  artifactDays: 14,
  artifactBytes: 5 * 1024 ** 3,
  historyBytes: 10 * 1024 ** 3,
};

/** The part of all results and events that a clock which is wrong may cost at most. */
const AT_RISK = 0.25;

const DAY_MS = 86_400_000;

/** Epoch ms before which `days` have passed at `now`. */
export function cutoff(now: number, days: number): number {
  return now - days * DAY_MS;
}

/** How far ahead a clock may jump and still be believed, milliseconds. */
export function clockTolerance({ resultDays, heartbeatDays }: Retention): number {
  return AT_RISK * Math.min(resultDays, heartbeatDays) * DAY_MS;
}

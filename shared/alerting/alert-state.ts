import { z } from 'zod';
import { ALERT_TYPES, STANDINGS } from './alert-type.ts';
import { MAX_FLAP_CHANGES } from './flap-settings.ts';

/** Counts stop here: more than any threshold, and enough to show. */
export const MAX_COUNT = 100_000;

const count = z.int().min(0).max(MAX_COUNT);
/** Epoch milliseconds. */
const instant = z.number();

/** Runs in a row that were degraded, or that failed: the two count apart. */
const streak = z.strictObject({
  runs: count,
  /** When the first of them ended. */
  since: instant,
});
export type Streak = z.output<typeof streak>;

/** The alert of the streak that is going on: there is one at most, and then reminders. */
const raised = z.strictObject({
  type: z.enum(ALERT_TYPES),
  /** False where it was withheld: then it is never sent later, and nobody is reminded of it. */
  sent: z.boolean(),
  reminders: count,
  /** When it, or the last reminder of it, was sent. */
  lastAt: instant,
});

/** Whether receivers were told of failing, of degraded runs, and not yet that it is over. */
const told = z.strictObject({ degraded: z.boolean(), failing: z.boolean() });
export type Told = z.output<typeof told>;

/** A change of standing, for as long as it counts towards flapping. */
const change = z.strictObject({ to: z.enum(STANDINGS), at: instant, runsAgo: count });
export type Change = z.output<typeof change>;

/** From the message that says that the check is flapping to the one that says that it has settled. */
const episode = z.strictObject({
  /** The first of the changes that it was said of, and how many there have been since. */
  since: instant,
  changes: count,
  /** The last alert in it, which it began with or which was withheld. */
  last: z.enum(ALERT_TYPES),
  /** All that its alerts said. */
  told,
});
export type Episode = z.output<typeof episode>;

const flapping = z.strictObject({
  /** Oldest first. */
  changes: z.array(change).max(MAX_FLAP_CHANGES),
  episode: episode.nullable(),
});
export type FlapState = z.output<typeof flapping>;

/**
 * All that the alert decision knows of a check: plain JSON, kept in the store with the result that
 * moved it, so that a restart between any two results changes nothing. Of a check that keeps
 * passing it stays the same.
 */
export const alertState = z.strictObject({
  standing: z.enum(STANDINGS),
  /** Null while the check passes, and after `suspended` until its next run. */
  streak: streak.nullable(),
  /** When the check last stopped passing; null while it passes. */
  troubleSince: instant.nullable(),
  raised: raised.nullable(),
  told,
  flapping,
});
export type AlertState = z.output<typeof alertState>;

export const NOBODY_TOLD: Told = { degraded: false, failing: false };

/** Of a check that has not run yet: its first run is judged as if it had passed before. */
export const initialAlertState: AlertState = {
  standing: 'passing',
  streak: null,
  troubleSince: null,
  raised: null,
  told: NOBODY_TOLD,
  flapping: { changes: [], episode: null },
};

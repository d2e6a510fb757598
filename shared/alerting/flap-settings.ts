import { z } from 'zod';

/** Most changes that flapping may ask for: as many are kept of each check. */
export const MAX_FLAP_CHANGES = 20;

/**
 * When a check counts as flapping, and when it has settled. On by default.
 *
 * Five changes are the third time that a check goes down: two short outages are told one by one, as
 * somebody may repair the one and see the other. Thirty runs are five minutes of a check that runs
 * every ten seconds, and half an hour of one that runs each minute. An hour bounds it for those that
 * run seldom, of which a daily one that fails every other day is no noise. Settling takes a third of
 * the runs, so that one failure in ten keeps a check flapping, and half an hour at most, so that
 * nobody waits long for how it ended.
 */
export const flapSettings = z
  .object({
    enabled: z.boolean().default(true),
    /** So many changes of standing … */
    changes: z.int().min(3).max(MAX_FLAP_CHANGES).default(5),
    /** … within so many runs … */
    withinRuns: z.int().min(3).max(1_000).default(30),
    /** … and so many minutes are flapping. */
    withinMinutes: z.int().min(1).max(1_440).default(60),
    /** So many runs alike in a row … */
    settledAfterRuns: z.int().min(2).max(1_000).default(10),
    /** … or so many minutes without a change end it. */
    settledAfterMinutes: z.int().min(1).max(1_440).default(30),
  })
  .refine(({ changes, withinRuns }) => changes <= withinRuns, {
    path: ['changes'],
    error: 'expected at most withinRuns',
  });
export type FlapSettings = z.output<typeof flapSettings>;

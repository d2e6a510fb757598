import { z } from 'zod';

/** Most runs that flapping may look back on: bounds the state of a check. */
export const MAX_FLAP_RUNS = 100;

/**
 * When a check counts as flapping, and when it has settled. On by default.
 *
 * Five changes are the third time that a check goes down: two short outages are told one by one, as
 * somebody may repair the one and see the other. Ten runs bound it to what is going on now. An hour
 * bounds it for checks that run seldom, of which a daily one that fails every other day is no noise;
 * and settling takes half an hour at most, so that nobody waits long for how it ended.
 */
export const flapSettings = z
  .object({
    enabled: z.boolean().default(true),
    /** So many changes of standing … */
    changes: z.int().min(3).max(MAX_FLAP_RUNS).default(5),
    /** … within so many runs … */
    withinRuns: z.int().min(3).max(MAX_FLAP_RUNS).default(10),
    /** … and so many minutes are flapping. */
    withinMinutes: z.int().min(1).max(1_440).default(60),
    /** So many runs alike in a row … */
    settledAfterRuns: z.int().min(2).max(MAX_FLAP_RUNS).default(5),
    /** … or so many minutes without a change end it. */
    settledAfterMinutes: z.int().min(1).max(1_440).default(30),
  })
  .refine(({ changes, withinRuns }) => changes <= withinRuns, {
    path: ['changes'],
    error: 'expected at most withinRuns',
  });
export type FlapSettings = z.output<typeof flapSettings>;

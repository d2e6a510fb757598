import { z } from 'zod';
import { OFFLINE_REASONS } from './connectivity.ts';

const instant = z.iso.datetime().nullable();

/** Whether the monitor itself is online, as it is answered. */
export const connectivityView = z.object({
  state: z.enum(['seeing', 'suspicious', 'asking', 'blind']),
  /** Empty unless offline, which this answer calls `blind`. */
  reasons: z.array(z.enum(OFFLINE_REASONS)),
  /** Since when it is offline. */
  since: instant,
  canaries: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['gateway', 'resolver', 'anchor']),
      /** Null where it never has answered. */
      lastAnswerAt: instant,
    }),
  ),
});
export type ConnectivityAnswer = z.output<typeof connectivityView>;

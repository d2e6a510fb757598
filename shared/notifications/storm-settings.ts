import { z } from 'zod';

/** When many alerts on one channel become one message. */
export const stormSettings = z.object({
  /** More alerts than this within ten seconds are a storm; 0: each is sent by itself. */
  alerts: z.int().min(0).max(1_000),
  /** What is beyond waits, and goes in one message. */
  messagesPerMinute: z.int().min(1).max(10_000),
});
export type StormSettings = z.output<typeof stormSettings>;

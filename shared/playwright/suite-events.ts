import { z } from 'zod';
import { TEST_STATUSES, type TestStep } from './detail.ts';

/**
 * What the reporter in a run of a Playwright project writes, one JSON text a line
 * (workers/browser/suite/inside/reporter.cjs). The project can write there too: what the lines hold is as
 * trustworthy as the project.
 */

const text = z.string().max(16_000);
const id = z.string().max(200);
/** Epoch milliseconds. */
const at = z.number().min(0).max(8.64e15);
const durationMs = z.number().min(0).max(1e9);
const place = z.int().min(0).max(1e9);
const retry = z.int().min(0).max(1_000);

const error = z.object({
  message: text,
  stack: text.optional(),
  snippet: text.optional(),
  location: z.object({ file: text, line: place, column: place }).optional(),
});

/** A step as it is reported: with its time of day. */
export interface ReportedStep
  extends Pick<TestStep, 'title' | 'category' | 'durationMs' | 'error'> {
  at: number;
  steps: ReportedStep[];
}

const step: z.ZodType<ReportedStep> = z.object({
  title: text,
  category: text,
  at,
  durationMs: durationMs.nullable(),
  error: text.optional(),
  get steps() {
    return z.array(step).max(200);
  },
});

export const suiteEvent = z.discriminatedUnion('type', [
  /** The first event of a Playwright that could load its configuration and all files with tests. */
  z.object({
    type: z.literal('plan'),
    /** Of Playwright. */
    version: z.string().max(50),
    projects: z
      .array(
        z.object({
          name: text,
          /** As the configuration says: `chromium`, `firefox`, `webkit`. */
          browser: text,
          channel: text.optional(),
        }),
      )
      .max(100),
    tests: z
      .array(
        z.object({
          id,
          project: text,
          /** Titles of the groups around it, and its own. */
          path: z.array(text).max(50),
          file: text,
          line: place,
        }),
      )
      .max(2_000),
    /** How many there are, also of those that are not listed. */
    total: z.int().min(0),
  }),
  z.object({ type: z.literal('testBegin'), test: id, retry, at }),
  z.object({
    type: z.literal('testEnd'),
    test: id,
    retry,
    status: z.enum(TEST_STATUSES),
    expected: z.enum(TEST_STATUSES),
    at,
    durationMs,
    errors: z.array(error).max(20),
    /** Why the test counts as degraded, once for each time that it said so. */
    degraded: z.array(text).max(20),
    steps: z.array(step).max(200),
    attachments: z
      .array(
        z.object({ name: text, contentType: z.string().max(200), path: z.string().max(4_000) }),
      )
      .max(200),
  }),
  /** That belongs to no test. */
  z.object({ type: z.literal('error'), error }),
  z.object({ type: z.literal('end'), status: z.string().max(50) }),
]);
export type SuiteEvent = z.output<typeof suiteEvent>;
export type SuiteEventOf<T extends SuiteEvent['type']> = Extract<SuiteEvent, { type: T }>;

import { z } from 'zod';
import { MAX_TESTS, TEST_STATUSES } from './detail.ts';
import { VITALS } from './web-vitals.ts';

/**
 * What the process that runs a script reports, one JSON text a line. The script runs in the same
 * process and can write such lines too: what they hold is as trustworthy as the script.
 */

/** Characters of a text in an event: enough to mask it before it is cut. */
export const MAX_EVENT_TEXT = 16_000;

const text = z.string().max(MAX_EVENT_TEXT);
const id = z.string().max(200);
/** Epoch milliseconds. */
const at = z.number().min(0).max(8.64e15);
const durationMs = z.number().min(0).max(1e9);
const place = z.int().min(0).max(1e9);
const headers = z.record(z.string().max(1_000), text);
const count = z.int().min(0).max(1e9);

const error = z.object({
  message: text,
  stack: text.optional(),
  location: z.object({ file: text, line: place, column: place }).optional(),
});

const plannedTest = z.object({
  id,
  /** Titles of the groups around it, and its own. */
  path: z.array(text).max(50),
  /** Tests with another one need a process of their own. */
  group: id,
  /** The outermost serial group that it belongs to: when one test of it fails, the rest is skipped. */
  serial: id.optional(),
});
export type PlannedTest = z.output<typeof plannedTest>;

const vitals = z.partialRecord(z.enum(VITALS), z.number().min(0).max(1e9));

export const specEvent = z.discriminatedUnion('type', [
  /** A browser starts, or is lent one that runs already. */
  z.object({ type: z.literal('launch'), args: z.array(text).max(200), isLent: z.boolean() }),
  /** The tests of the file: the first event unless the file could not be loaded. */
  z.object({ type: z.literal('plan'), tests: z.array(plannedTest).max(MAX_TESTS) }),
  z.object({ type: z.literal('testBegin'), test: id, at }),
  z.object({
    type: z.literal('stepBegin'),
    test: id,
    step: id,
    parent: id.optional(),
    title: text,
    category: text,
    at,
  }),
  z.object({ type: z.literal('stepEnd'), test: id, step: id, at, error: text.optional() }),
  /** A file that belongs to a test. */
  z.object({
    type: z.literal('attach'),
    test: id,
    name: text,
    contentType: z.string().max(200),
    /** Relative to the folder of the run. */
    path: text,
  }),
  z.object({
    type: z.literal('testEnd'),
    test: id,
    status: z.enum(TEST_STATUSES),
    expected: z.enum(TEST_STATUSES),
    durationMs,
    errors: z.array(error).max(50),
    degraded: z.array(text).max(20),
  }),
  z.object({
    type: z.literal('log'),
    at,
    level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
    text,
  }),
  z.object({
    type: z.literal('console'),
    at,
    kind: z.string().max(50),
    text,
    url: text,
    line: place.optional(),
  }),
  z.object({
    type: z.literal('network'),
    at,
    method: z.string().max(100),
    url: text,
    status: z.int().min(0).max(999).optional(),
    resourceType: z.string().max(50),
    durationMs: durationMs.nullable(),
    error: text.optional(),
  }),
  /** Comes again with newer values as long as a page is open. */
  z.object({ type: z.literal('page'), page: id, url: text, vitals }),
  z.object({
    type: z.literal('request'),
    at,
    method: z.string().max(100),
    url: text,
    status: z.int().min(0).max(999).optional(),
    durationMs,
    requestHeaders: headers,
    responseHeaders: headers,
    requestBody: text.optional(),
    responseBody: text.optional(),
    error: text.optional(),
  }),
  /** Of everything that went wrong in pages, also of what was too much to report one by one. */
  z.object({
    type: z.literal('summary'),
    consoleErrors: count,
    networkErrors: count,
    documentErrors: count,
    userScriptErrors: count,
  }),
  /** The last event of a process that ended as it should. */
  z.object({
    type: z.literal('done'),
    /** Errors that belong to no test. */
    errors: z.array(error).max(50),
    /** Tests that a failed `beforeAll` keeps from running. */
    skipped: z.array(id).max(MAX_TESTS),
  }),
]);
export type SpecEvent = z.output<typeof specEvent>;
export type SpecEventOf<T extends SpecEvent['type']> = Extract<SpecEvent, { type: T }>;

import { z } from 'zod';
import { isStructureBounded } from '#shared/sandbox/json-structure.ts';
import {
  charsOf,
  isExchangeTooLarge,
  MAX_SCRIPT_FIELDS,
  SCRIPT_BYTES,
} from '#shared/sandbox/script.ts';
import {
  type FromHost,
  MAX_LOG_CHARS,
  MAX_LOG_LINES,
  MAX_SCRIPT_BODY_BYTES,
  MAX_SCRIPT_HEADER_CHARS,
  MAX_SCRIPT_METHOD_CHARS,
  MAX_SCRIPT_URL_CHARS,
  MAX_STRUCTURE_CHARS,
} from '#shared/sandbox/script-host.ts';

const texts = z.record(z.string(), z.string());
/** The names are ours: the phases of a request. */
const MAX_TIMINGS = 100;
const numbers = z
  .record(z.string(), z.number())
  .refine((record) => Object.keys(record).length <= MAX_TIMINGS);

const request = z.object({
  method: z.string(),
  url: z.string(),
  body: z.string(),
  headers: texts,
  queryParameters: texts,
});

const response = z.object({
  statusCode: z.int().min(0).max(999),
  statusText: z.string(),
  body: z.string(),
  headers: texts,
  timings: numbers,
  timingPhases: numbers,
});

/** The longest is what V8 says of a name that fills a script. */
const MAX_ERROR_CHARS = 2 * SCRIPT_BYTES;
const place = z.int().positive().nullable();
const error = z.object({
  kind: z.enum(['syntax', 'thrown', 'timeout', 'memory', 'too-large', 'host']),
  message: z.string().max(MAX_ERROR_CHARS),
  line: place,
  column: place,
});

const logLine = z.object({
  time: z.number(),
  level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  msg: z.string(),
});

/** One line more tells that the log was cut. */
const log = z
  .array(logLine)
  .max(MAX_LOG_LINES + 1)
  .refine((lines) => lines.reduce((sum, { msg }) => sum + msg.length, 0) <= 2 * MAX_LOG_CHARS);

const outcome = z
  .object({
    error: error.nullable(),
    request,
    response: response.nullable(),
    env: texts,
    log,
    durationMs: z.number().nonnegative(),
  })
  .refine((left) => !isExchangeTooLarge(left, Buffer.byteLength));

const headers = texts
  .refine((record) => Object.keys(record).length <= MAX_SCRIPT_FIELDS)
  .refine((record) => charsOf(record) <= MAX_SCRIPT_HEADER_CHARS);

const fromHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('done'), id: z.int(), outcome }),
  z.object({ type: z.literal('stuck') }),
  z.object({
    type: z.literal('fetch'),
    id: z.int(),
    call: z.int(),
    request: z.object({
      method: z.string().max(MAX_SCRIPT_METHOD_CHARS),
      url: z.string().max(MAX_SCRIPT_URL_CHARS),
      headers,
      body: z.string().refine((text) => Buffer.byteLength(text) <= MAX_SCRIPT_BODY_BYTES),
      followRedirects: z.boolean(),
    }),
  }),
]);

/**
 * A message of a script host, null for what is none: whoever broke out of a script speaks for its
 * host, so that it is looked at as what comes from outside. What is too much is refused before it is
 * parsed: the thread that reads it measures other runs.
 */
export function readMessage(line: string): FromHost | null {
  if (!isStructureBounded(line, MAX_STRUCTURE_CHARS)) return null;
  try {
    return fromHost.safeParse(JSON.parse(line)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

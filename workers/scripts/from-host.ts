import { z } from 'zod';
import { type FromHost, MAX_LOG_LINES } from '#shared/run/script-host.ts';

const texts = z.record(z.string(), z.string());
const numbers = z.record(z.string(), z.number());

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

const place = z.int().positive().nullable();
const error = z.object({
  kind: z.enum(['syntax', 'thrown', 'timeout', 'memory', 'too-large', 'host']),
  message: z.string(),
  line: place,
  column: place,
});

const logLine = z.object({
  time: z.number(),
  level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  msg: z.string(),
});

const outcome = z.object({
  error: error.nullable(),
  request,
  response: response.nullable(),
  env: texts,
  log: z.array(logLine).max(MAX_LOG_LINES + 1),
  durationMs: z.number().nonnegative(),
});

const fromHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('done'), id: z.int(), outcome }),
  z.object({ type: z.literal('stuck') }),
  z.object({
    type: z.literal('fetch'),
    id: z.int(),
    call: z.int(),
    request: z.object({
      method: z.string(),
      url: z.string(),
      headers: texts,
      body: z.string(),
      followRedirects: z.boolean(),
    }),
  }),
]);

/**
 * A message of a script host, null for what is none: whoever broke out of a script speaks for its
 * host, so that it is looked at as what comes from outside.
 */
export function readMessage(line: string): FromHost | null {
  try {
    return fromHost.safeParse(JSON.parse(line)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

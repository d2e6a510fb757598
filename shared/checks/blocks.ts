import { z } from 'zod';
import { secret, secretWhereLocked } from '#shared/secrets.ts';
import { INCIDENT_SEVERITIES } from './enums.ts';
import { orUnset } from './unset.ts';

/**
 * Schema blocks that several check types share (specification 2.2 to 2.5).
 * Limits without a source there are our own bounds on growth.
 */

/** A list as clients send it: an array, or `null` for an empty one. Always stored as an array. */
export function list<T extends z.ZodType>(item: T, maxItems = 200) {
  return z
    .array(item)
    .max(maxItems)
    .nullable()
    .transform((items) => items ?? []);
}

/** A string that may also arrive as a number or a boolean; stored as a string. */
const stringified = z.union([z.string().max(64_000), z.number(), z.boolean()]).transform(String);

export const keyValue = z.object({
  key: z.string().min(1).max(1_000),
  value: secretWhereLocked(z.string().max(64_000)),
  locked: orUnset(z.boolean().default(false)),
});

export const basicAuth = z.object({
  username: z.string().max(2_000),
  password: secret(z.string().max(2_000)),
});

/** 2.2 `environmentVariables`: at most 50 on a check or group. */
export const environmentVariables = z
  .array(
    z.object({
      key: z.string().min(1).max(1_000),
      value: secretWhereLocked(z.string().max(64_000)).nullable(),
      locked: orUnset(z.boolean().default(false)),
      secret: orUnset(z.boolean().default(false)),
    }),
  )
  .max(50)
  .nullable();

/** An assertion of one check type: its sources and comparisons are closed sets. */
export function assertions<
  const S extends readonly [string, ...string[]],
  const C extends readonly [string, ...string[]],
>(sources: S, comparisons: C) {
  return list(
    z.object({
      source: z.enum(sources),
      comparison: z.enum(comparisons),
      property: z.string().max(2_000).nullable().default(''),
      target: stringified.nullable().default(''),
      regex: z.string().max(2_000).nullable().default(''),
    }),
    100,
  ).default([]);
}

/** Every comparison. */
export const COMPARISONS = [
  'EQUALS',
  'NOT_EQUALS',
  'HAS_KEY',
  'NOT_HAS_KEY',
  'HAS_VALUE',
  'NOT_HAS_VALUE',
  'IS_EMPTY',
  'NOT_EMPTY',
  'GREATER_THAN',
  'LESS_THAN',
  'CONTAINS',
  'NOT_CONTAINS',
  'IS_NULL',
  'NOT_NULL',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** An assertion as every runner sees it. `property` and `regex` may be null or empty. */
export interface Assertion {
  source: string;
  comparison: Comparison;
  property: string | null;
  target: string | null;
  regex: string | null;
}

const oneOf = <const V extends readonly [number, ...number[]]>(values: V) => z.literal(values);

const runBasedEscalation = z.object({
  failedRunThreshold: orUnset(oneOf([1, 2, 3, 4, 5]).default(1), 0),
});
const timeBasedEscalation = z.object({
  minutesFailingThreshold: orUnset(oneOf([5, 10, 15, 30]).default(5), 0),
});
const reminders = z.object({
  amount: orUnset(oneOf([0, 1, 2, 3, 4, 5, 100_000]).default(0)),
  interval: orUnset(oneOf([1, 2, 3, 4, 5, 10, 15, 30]).default(5), 0),
});
const parallelRunFailureThreshold = z.object({
  enabled: orUnset(z.boolean().default(false)),
  percentage: orUnset(oneOf([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]).default(10), 0),
});
const sslCertificates = z.object({
  enabled: orUnset(z.boolean().optional()),
  alertThreshold: orUnset(z.int().min(0).max(365).optional()),
});

/** 2.3. Answers show the defaults of what was left out. */
export const alertSettings = z.object({
  escalationType: orUnset(z.enum(['RUN_BASED', 'TIME_BASED']).default('RUN_BASED'), ''),
  runBasedEscalation: orUnset(runBasedEscalation.prefault({})),
  timeBasedEscalation: orUnset(timeBasedEscalation.prefault({})),
  reminders: orUnset(reminders.prefault({})),
  parallelRunFailureThreshold: orUnset(parallelRunFailureThreshold.prefault({})),
  sslCertificates: orUnset(sslCertificates.optional()),
});
export type AlertSettings = z.output<typeof alertSettings>;

/** It also comes as one string; an empty list is left out. */
const onlyOn = z
  .union([z.literal('NETWORK_ERROR'), z.array(z.literal('NETWORK_ERROR')).max(1)])
  .transform((only) => (only.length > 0 ? ['NETWORK_ERROR' as const] : undefined));

/** 2.4. */
export const retryStrategy = z
  .object({
    type: z.enum(['FIXED', 'LINEAR', 'EXPONENTIAL', 'SINGLE_RETRY']),
    baseBackoffSeconds: orUnset(z.number().min(0).max(600).default(60)),
    sameRegion: orUnset(z.boolean().default(true)),
    maxRetries: orUnset(z.int().min(1).max(10).optional()),
    maxDurationSeconds: orUnset(z.number().min(0).max(600).optional()),
    onlyOn: orUnset(onlyOn.optional(), ''),
  })
  .nullable();

/**
 * `retryStrategy` of a check. `FALLBACK` is a group's word for "none of its own": for a check it means
 * that none is set, as before one was, so that `doubleCheck` decides.
 */
export const checkRetryStrategy = z.preprocess(
  (strategy) => (strategy === 'FALLBACK' ? undefined : strategy),
  retryStrategy.optional(),
);

/** 2.5. */
export const triggerIncident = z
  .object({
    serviceId: z.uuid().toLowerCase(),
    severity: z.enum(INCIDENT_SEVERITIES),
    name: z.string().min(1).max(255),
    description: z.string().max(5_000),
    notifySubscribers: z.boolean(),
  })
  .nullable();

export const alertChannelSubscriptions = list(
  z.object({
    alertChannelId: z.int().positive(),
    activated: orUnset(z.boolean().default(true)),
  }),
);

export const IP_FAMILIES = ['IPv4', 'IPv6'] as const;
export const ipFamily = orUnset(z.enum(IP_FAMILIES).default('IPv4'), '');

/** Milliseconds; a limit of a response time. */
export const responseTimeLimit = (maxMs: number) => z.number().min(0).max(maxMs).nullable();

/** Whole minutes between runs; 0 means sub-minute runs, where the type has them. */
export const frequency = (min: 0 | 1) => z.int().min(min).max(1440);
export const frequencyOffset = z.int().min(1);

const TEMPLATE = /\{\{/;

/** An http or https URL of at most 2,048 characters; may hold `{{templates}}`. */
export const httpUrl = z
  .string()
  .min(1)
  .max(2_048)
  .refine(
    (url) => (TEMPLATE.test(url) ? !/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(url) : isHttpUrl(url)),
    {
      error: 'expected an http or https URL',
    },
  );

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * A host name or an address. It becomes an argument of `ping` and a name to resolve, so it
 * never starts with a dash and holds no space, slash or control character.
 */
export const hostname = z
  .string()
  .max(2_048)
  .regex(/^(?!-)(?:[\p{L}\p{M}\p{N}._:%[\]-]|\{\{[^{}]*\}\})+$/u, {
    error: 'expected a host name or an IP address',
  });

export const port = z.int().min(1).max(65_535);

const MAX_JSON_DEPTH = 20;
const MAX_JSON_CHARS = 64_000;

/** An object of any shape that is kept as it came, within bounds of ours. */
export const boundedJson = z
  .record(z.string(), z.unknown())
  .refine((value) => isShallow(value, MAX_JSON_DEPTH), {
    abort: true,
    error: `expected at most ${MAX_JSON_DEPTH} levels of objects and lists`,
  })
  .refine((value) => JSON.stringify(value).length <= MAX_JSON_CHARS, {
    error: `expected at most ${MAX_JSON_CHARS} characters of JSON`,
  })
  .nullable();

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

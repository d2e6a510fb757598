import { z } from 'zod';
import { INCIDENT_SEVERITIES } from './enums.ts';

/**
 * Schema blocks that several check types share (specification 2.2 to 2.5, contract A.1).
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
  value: z.string().max(64_000),
  locked: z.boolean().default(false),
});

export const basicAuth = z.object({
  username: z.string().max(2_000),
  password: z.string().max(2_000),
});

/** 2.2 `environmentVariables`: at most 50 on a check or group. */
export const environmentVariables = z
  .array(
    z.object({
      key: z.string().min(1).max(1_000),
      value: z.string().max(64_000).nullable(),
      locked: z.boolean().default(false),
      secret: z.boolean().default(false),
    }),
  )
  .max(50)
  .nullable();

/** An assertion of one check type: its sources and comparisons are closed sets (contract 3.4, 3.5). */
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

/** Every comparison of contract 3.5. */
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

/** 2.3, with the closed sets of contract A.1. */
export const alertSettings = z.object({
  escalationType: z.enum(['RUN_BASED', 'TIME_BASED']).default('RUN_BASED'),
  runBasedEscalation: z
    .object({ failedRunThreshold: oneOf([1, 2, 3, 4, 5]).default(1) })
    .prefault({}),
  timeBasedEscalation: z
    .object({ minutesFailingThreshold: oneOf([5, 10, 15, 30]).default(5) })
    .prefault({}),
  reminders: z
    .object({
      amount: oneOf([0, 1, 2, 3, 4, 5, 100_000]).default(0),
      interval: oneOf([1, 2, 3, 4, 5, 10, 15, 30]).default(5),
    })
    .prefault({}),
  parallelRunFailureThreshold: z
    .object({
      enabled: z.boolean().default(false),
      percentage: oneOf([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]).default(10),
    })
    .prefault({}),
  sslCertificates: z
    .object({ enabled: z.boolean(), alertThreshold: z.int().min(0).max(365) })
    .partial()
    .optional(),
});
export type AlertSettings = z.output<typeof alertSettings>;

/** 2.4. `onlyOn` also comes as one string; an empty list is left out (contract 5, clients-need). */
export const retryStrategy = z
  .object({
    type: z.enum(['FIXED', 'LINEAR', 'EXPONENTIAL', 'SINGLE_RETRY']),
    baseBackoffSeconds: z.number().min(0).max(600).default(60),
    sameRegion: z.boolean().default(true),
    maxRetries: z.int().min(1).max(10).optional(),
    maxDurationSeconds: z.number().min(0).max(600).optional(),
    onlyOn: z
      .union([z.literal('NETWORK_ERROR'), z.array(z.literal('NETWORK_ERROR')).max(1)])
      .nullish()
      .transform((only) => (only?.length ? ['NETWORK_ERROR' as const] : undefined))
      .optional(),
  })
  .nullable();

/**
 * `retryStrategy` of a check. `FALLBACK` is a group's word for "none of its own": for a check it means
 * that none is set, as before one was, so that `doubleCheck` decides (clients-need, contract 3.7).
 */
export const checkRetryStrategy = z.preprocess(
  (strategy) => (strategy === 'FALLBACK' ? undefined : strategy),
  retryStrategy.optional(),
);

/** 2.5. */
export const triggerIncident = z
  .object({
    serviceId: z.uuid(),
    severity: z.enum(INCIDENT_SEVERITIES),
    name: z.string().min(1).max(255),
    description: z.string().max(5_000),
    notifySubscribers: z.boolean(),
  })
  .nullable();

export const alertChannelSubscriptions = list(
  z.object({ alertChannelId: z.int().positive(), activated: z.boolean() }),
);

export const ipFamily = z.enum(['IPv4', 'IPv6']);

/** Milliseconds; a limit of a response time (contract 3.2). */
export const responseTimeLimit = (maxMs: number) => z.number().min(0).max(maxMs).nullable();

/** Whole minutes between runs; 0 means sub-minute runs, where the type has them (decisions.md). */
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
  .min(1)
  .max(2_048)
  .regex(/^(?!-)(?:[\p{L}\p{M}\p{N}._:%[\]-]|\{\{[^{}]*\}\})+$/u, {
    error: 'expected a host name or an IP address',
  });

export const port = z.int().min(1).max(65_535);

import { z } from 'zod';
import { secret } from '#shared/secrets.ts';
import { frequency, frequencyOffset, responseTimeLimit } from './blocks.ts';
import { commonDefaults, commonFields } from './common.ts';
import { defineKind } from './kind.ts';
import { isBody } from './rules.ts';
import { orUnset } from './unset.ts';

/** Where pings go: `/ping/{token}`. */
export const PING_PATH = '/ping/';

export const UNIT_MS = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
} as const;
const unit = z.enum(Object.keys(UNIT_MS) as [keyof typeof UNIT_MS, ...(keyof typeof UNIT_MS)[]]);

const YEAR_MS = 365 * UNIT_MS.days;

/** When a ping is expected: a period of 30 s to 365 days, a grace of 0 to 365 days. */
export const heartbeatSettings = z
  .object({
    period: z.number().positive(),
    periodUnit: unit,
    grace: z.number().min(0),
    graceUnit: unit,
    pingToken: orUnset(secret(z.guid().toLowerCase()).optional(), ''),
  })
  .refine(({ period, periodUnit }) => within(period * UNIT_MS[periodUnit], 30_000), {
    path: ['period'],
    error: 'expected a period of 30 seconds to 365 days',
    when: ({ value }) => isSpan(value, 'period'),
  })
  .refine(({ grace, graceUnit }) => within(grace * UNIT_MS[graceUnit], 0), {
    path: ['grace'],
    error: 'expected a grace of 0 seconds to 365 days',
    when: ({ value }) => isSpan(value, 'grace'),
  });

function within(ms: number, minMs: number): boolean {
  return ms >= minMs && ms <= YEAR_MS;
}

/** Whether a number and its unit are sound for themselves, whatever is wrong with the others. */
function isSpan(settings: unknown, name: 'period' | 'grace'): boolean {
  if (!isBody(settings)) return false;
  const { [name]: amount, [`${name}Unit`]: unitName } = settings;
  if (typeof amount !== 'number' || amount < 0) return false;
  return typeof unitName === 'string' && Object.hasOwn(UNIT_MS, unitName);
}

export const heartbeatCheck = defineKind({
  checkType: 'HEARTBEAT',
  segment: 'heartbeat',
  schemaName: 'HeartbeatCheck',
  noun: 'heartbeat check',
  required: ['name', 'heartbeat'],
  fields: {
    ...commonFields,
    heartbeat: heartbeatSettings,
    frequency: frequency(0),
    frequencyOffset,
    degradedResponseTime: responseTimeLimit(300_000),
    maxResponseTime: responseTimeLimit(300_000),
  },
  defaults: {
    ...commonDefaults,
    frequency: 10,
    degradedResponseTime: 10_000,
    maxResponseTime: 20_000,
  },
});

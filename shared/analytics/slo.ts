import { z } from 'zod';
import { list } from '#shared/checks/blocks.ts';
import { withRules } from '#shared/checks/rules.ts';

/** Service-level objectives. All bounds are ours. */

/** Most objectives of an account. */
export const MAX_SLOS = 500;
const MAX_DAYS = 30;

const TARGETS = ['checkId', 'groupId', 'tag'] as const;

/** The checks that an objective is of: one of the members, and no other. */
const target = withRules(
  z.strictObject({
    checkId: z.guid().toLowerCase().optional(),
    groupId: z.int().positive().optional(),
    tag: z.string().min(1).max(500).optional(),
  }),
  (given) => {
    const named = TARGETS.filter((name) => given[name] !== undefined);
    const message = 'expected one of checkId, groupId and tag';
    return named.length === 1 ? [] : [{ path: [], message }];
  },
);
export type SloTarget = z.output<typeof target>;

const percent = z
  .number()
  .min(50)
  .max(99.999)
  .meta({ description: 'The part of the runs that is to be good, in percent.' });

/** When a run is good: it passed or was degraded, and for LATENCY it was faster than `underMs`. */
const objective = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('AVAILABILITY'), percent }),
  z.strictObject({
    kind: z.literal('LATENCY'),
    percent,
    underMs: z.number().positive().max(300_000),
  }),
]);
export type Objective = z.output<typeof objective>;

const fields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).nullable(),
  target,
  objective,
  windowDays: z.int().min(1).max(MAX_DAYS).meta({ description: 'Days back from now that count.' }),
  alertOnFastBurn: z.boolean(),
  alertChannelIds: list(z.int().positive(), 100)
    .nullable()
    .meta({ description: 'Channels that are notified; null: all that want failures.' }),
};

/** Body of `POST /app/slos`. */
export const sloCreate = z.object({
  ...fields,
  description: fields.description.default(null),
  windowDays: fields.windowDays.default(MAX_DAYS),
  alertOnFastBurn: fields.alertOnFastBurn.default(true),
  alertChannelIds: fields.alertChannelIds.default(null),
});
export type SloBody = z.output<typeof sloCreate>;

/** Body of `PUT /app/slos/{id}`: a member left out stays as it was. */
export const sloUpdate = z.object(fields).partial();
export type SloChanges = z.output<typeof sloUpdate>;

/** As it is stored and answered. */
export const slo = z.object({
  id: z.guid(),
  ...fields,
  /** ISO 8601: since when its error budget has burnt fast; null where it does not. */
  burningSince: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});
export const storedSlo = slo.loose();
export type Slo = z.output<typeof slo>;

import { z } from 'zod';
import { orNoDate } from '#shared/api/dates.ts';
import { NO_PROJECT, projectBindings } from '#shared/api/project.ts';
import { list } from '#shared/checks/blocks.ts';
import { withRules } from '#shared/checks/rules.ts';
import { orNull } from '#shared/checks/unset.ts';
import { isoDate } from './iso-date.ts';
import { isTimezone } from './local-time.ts';
import { MAX_CHANGED, type MaintenanceChange, maintenanceChange } from './maintenance.ts';
import { REPEAT_UNITS } from './recurrence.ts';
import { statusPageVisibility } from './visibility.ts';
import { windowProblems } from './window-rules.ts';

/** Most windows of an account: a bound of ours. */
export const MAX_WINDOWS = 1_000;

const tags = list(z.string().min(1).max(500));

const fields = {
  name: z.string().min(1).max(200),
  tags: tags.meta({ description: 'Checks with one of these, own or of their group, do not run.' }),
  startsAt: isoDate.meta({
    description: 'Start of the first occurrence; without an offset in `timezone`.',
  }),
  endsAt: isoDate.meta({ description: 'End of the first occurrence.' }),
  repeatInterval: orNull(z.int().min(1).max(365), 0),
  repeatUnit: orNull(z.enum(REPEAT_UNITS), '').meta({ description: 'Null: once.' }),
  repeatEndsAt: orNoDate(isoDate.nullable()).meta({
    description: 'The last day, in `timezone`, on which an occurrence may start.',
  }),
  timezone: z
    .string()
    .max(100)
    .refine(isTimezone, {
      error: 'expected an IANA time zone, such as "Europe/Berlin", and no fixed offset',
    })
    .nullable()
    .meta({ description: 'Repeats start and end at the same local time in this zone. Null: UTC.' }),
  pauseAllChecks: z.boolean(),
  silenceAlertsTags: tags.meta({ description: 'Checks with one of these run and do not alert.' }),
  silenceAllAlerts: z.boolean(),
  description: z.string().max(2_000).nullable(),
  statusPageVisibility,
};

/** Body of `POST /v1/maintenance-windows`. */
export const windowCreate = withRules(
  z.object({
    ...fields,
    tags: fields.tags.default([]),
    repeatInterval: fields.repeatInterval.default(null),
    repeatUnit: fields.repeatUnit.default(null),
    repeatEndsAt: fields.repeatEndsAt.default(null),
    timezone: fields.timezone.default(null),
    pauseAllChecks: fields.pauseAllChecks.default(false),
    silenceAlertsTags: fields.silenceAlertsTags.default([]),
    silenceAllAlerts: fields.silenceAllAlerts.default(false),
    description: fields.description.default(null),
    statusPageVisibility: statusPageVisibility.prefault({}),
  }),
  windowProblems,
);
export type WindowBody = z.output<typeof windowCreate>;

/**
 * Body of `PUT /v1/maintenance-windows/{id}`: a member left out stays as it was, and the rules are
 * those of the window that comes of it.
 */
export const windowUpdateOf = (before: Readonly<Partial<WindowBody>>) =>
  withRules(z.object(fields).partial(), (body) => windowProblems({ ...before, ...body }));

export type WindowChanges = z.output<ReturnType<typeof windowUpdateOf>>;

/** A maintenance window as it is kept. */
export interface MaintenanceWindow extends WindowBody {
  /** A positive whole number in decimal digits. */
  id: string;
  /** Of single occurrences; all others are computed. */
  changes: MaintenanceChange[];
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
  updated_at: string | null;
}

/** The members of a window that people set, as they are kept. */
export const keptFields = z.looseObject({
  ...fields,
  changes: z.array(maintenanceChange).max(MAX_CHANGED),
});

/** A window as the API answers it. */
export const windowView = z.object({
  id: z.int().positive(),
  ...fields,
  // Looked up when it was set: once more for each window of a page would hold up the actors.
  timezone: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
  projectBindings,
});

export function viewWindow({ id, ...members }: MaintenanceWindow): z.output<typeof windowView> {
  return windowView.parse({ id: Number(id), ...members, projectBindings: NO_PROJECT });
}

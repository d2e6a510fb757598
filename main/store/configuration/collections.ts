import { z } from 'zod';
import { flapSettings } from '#shared/alerting/flap-settings.ts';
import { storedSlo } from '#shared/analytics/slo.ts';
import { BADGE_KINDS, type BadgeRecord } from '#shared/badges/badge.ts';
import { alertSettings, retryStrategy } from '#shared/checks/blocks.ts';
import { type Check, storedSchema } from '#shared/checks/check.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { storedDashboard } from '#shared/dashboards/dashboard.ts';
import { storedDashboardIncident } from '#shared/dashboards/dashboard-incident.ts';
import { type Group, storedGroup } from '#shared/groups/group.ts';
import { keptFields, type MaintenanceWindow } from '#shared/maintenance/window.ts';
import { storedMute } from '#shared/mutes/mute.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import { CHANNEL_CONFIGS, CHANNEL_TYPES, type ChannelType } from '#shared/notifications/config.ts';
import { stormSettings } from '#shared/notifications/storm-settings.ts';
import { secret, secretWhereLocked } from '#shared/secrets.ts';
import { type Trigger, triggerTarget } from '#shared/sessions/trigger.ts';
import { storedSignIn } from '#shared/sign-ins/sign-in.ts';
import { storedPageService } from '#shared/status-pages/page-service.ts';
import { storedStatusPage } from '#shared/status-pages/status-page.ts';
import type { Snippet } from '#shared/variables/snippet.ts';
import type { Variable } from '#shared/variables/variable.ts';
import type { Account, ApiKey, Collection, Configuration, Counter } from './configuration.ts';

/** The members of {@link Configuration} that hold records. */
export type CollectionName = Exclude<keyof Configuration, 'probe' | 'close'>;
export type RecordOf<K extends CollectionName> =
  Configuration[K] extends Collection<infer T> ? T : never;

/** How the records of one kind are kept. */
export interface CollectionKind<T extends { id: string }> {
  /** Its file in the data folder. */
  file: string;
  /** The texts that it marks as secret are encrypted in the file. */
  record: z.ZodType<T>;
  /** Step n turns the records of version n + 1 of the file into those of the next one. */
  migrations: readonly Migration[];
  /** Where one of its records cannot be read, nothing starts. */
  isEssential?: boolean;
}

export type Migration = (records: readonly unknown[]) => unknown[];

/**
 * Members that no schema names are kept as they are, so that a file that went through an older
 * version of Watchpost loses nothing.
 */
const check = z.discriminatedUnion(
  'checkType',
  CHECK_TYPES.map((type) => storedSchema(type).loose()) as unknown as [z.ZodObject, z.ZodObject],
) as unknown as z.ZodType<Check>;

const group = storedGroup.loose() satisfies z.ZodType<Group>;

const apiKey = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits'),
  prefix: z.string(),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<ApiKey>;

const account = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  runtimeId: z.string(),
  retryStrategy: retryStrategy.optional(),
  alertSettings: alertSettings.optional(),
  flapping: flapSettings.optional(),
  storms: stormSettings.optional(),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<Account>;

const snippet = z.looseObject({
  id: z.string().regex(/^[1-9]\d{0,14}$/, 'expected a whole number in digits'),
  name: z.string().min(1),
  script: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
}) satisfies z.ZodType<Snippet>;

const variable = z.looseObject({
  id: z.string().min(1),
  key: z.string().min(1),
  value: secretWhereLocked(z.string()),
  locked: z.boolean(),
  secret: z.boolean(),
}) satisfies z.ZodType<Variable>;

const channelOf = (type: ChannelType) =>
  z.looseObject({
    id: z.string().regex(/^[1-9]\d{0,14}$/, 'expected a whole number in digits'),
    type: z.literal(type),
    config: CHANNEL_CONFIGS[type].loose(),
    sendRecovery: z.boolean(),
    sendFailure: z.boolean(),
    sendDegraded: z.boolean(),
    sslExpiry: z.boolean(),
    sslExpiryThreshold: z.int().min(1).max(30),
    autoSubscribe: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().nullable(),
  });

const channel = z.discriminatedUnion(
  'type',
  CHANNEL_TYPES.map(channelOf) as unknown as [z.ZodObject, z.ZodObject],
) as unknown as z.ZodType<AlertChannel>;
const trigger = z.looseObject({
  id: z.string().regex(/^[1-9]\d{0,14}$/, 'expected a whole number in digits'),
  token: secret(z.string().min(1)),
  target: triggerTarget,
  created_at: z.iso.datetime(),
  called_at: z.iso.datetime().nullable(),
}) satisfies z.ZodType<Trigger>;

const maintenanceWindow = keptFields.extend({
  id: z.string().regex(/^[1-9]\d{0,14}$/, 'expected a whole number in digits'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
}) satisfies z.ZodType<MaintenanceWindow>;

const badge = z.looseObject({
  id: z.string().min(1),
  kind: z.enum(BADGE_KINDS),
  target: z.string().min(1),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<BadgeRecord>;

const counter = z.looseObject({
  id: z.string().min(1),
  last: z.int().min(0),
}) satisfies z.ZodType<Counter>;

/** The one table of collections: a new one is a new line here. */
export const COLLECTIONS = {
  checks: { file: 'checks.json', record: check, migrations: [] },
  groups: { file: 'check-groups.json', record: group, migrations: [] },
  keys: { file: 'keys.json', record: apiKey, migrations: [] },
  // Another account would be made in its place, which no client knows.
  account: { file: 'account.json', record: account, migrations: [], isEssential: true },
  snippets: { file: 'snippets.json', record: snippet, migrations: [] },
  variables: { file: 'variables.json', record: variable, migrations: [] },
  channels: { file: 'alert-channels.json', record: channel, migrations: [] },
  triggers: { file: 'triggers.json', record: trigger, migrations: [] },
  maintenanceWindows: {
    file: 'maintenance-windows.json',
    record: maintenanceWindow,
    migrations: [],
  },
  pageServices: { file: 'status-page-services.json', record: storedPageService, migrations: [] },
  statusPages: { file: 'status-pages.json', record: storedStatusPage, migrations: [] },
  slos: { file: 'slos.json', record: storedSlo, migrations: [] },
  badges: { file: 'badges.json', record: badge, migrations: [] },
  dashboards: { file: 'dashboards.json', record: storedDashboard, migrations: [] },
  dashboardIncidents: {
    file: 'dashboard-incidents.json',
    record: storedDashboardIncident,
    migrations: [],
  },
  mutes: { file: 'mutes.json', record: storedMute, migrations: [] },
  signIns: { file: 'sign-ins.json', record: storedSignIn, migrations: [] },
  // Ids would be given out again.
  counters: { file: 'counters.json', record: counter, migrations: [], isEssential: true },
} as const satisfies { [K in CollectionName]: CollectionKind<RecordOf<K>> };

export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as CollectionName[];

/** The version of a collection's file that this build writes. */
export function currentVersion({ migrations }: { migrations: readonly Migration[] }): number {
  return migrations.length + 1;
}

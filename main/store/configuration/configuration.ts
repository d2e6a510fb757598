import type { FlapSettings } from '#shared/alerting/flap-settings.ts';
import type { Slo } from '#shared/analytics/slo.ts';
import type { BadgeRecord } from '#shared/badges/badge.ts';
import type { AlertSettings } from '#shared/checks/blocks.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Dashboard } from '#shared/dashboards/dashboard.ts';
import type { DashboardIncident } from '#shared/dashboards/dashboard-incident.ts';
import type { Group } from '#shared/groups/group.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';
import type { Mute } from '#shared/mutes/mute.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import type { StormSettings } from '#shared/notifications/storm-settings.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import type { Trigger } from '#shared/sessions/trigger.ts';
import type { SignIn } from '#shared/sign-ins/sign-in.ts';
import type { PageService } from '#shared/status-pages/page-service.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import type { Snippet } from '#shared/variables/snippet.ts';
import type { Variable } from '#shared/variables/variable.ts';

/**
 * Configuration: what people set. Every record is in memory, indexed by id; a change resolves
 * once it is on the disk and is then announced. The port over the JSON files.
 */
export interface Configuration {
  readonly checks: Collection<Check>;
  readonly groups: Collection<Group>;
  readonly keys: Collection<ApiKey>;
  readonly account: Collection<Account>;
  readonly snippets: Collection<Snippet>;
  readonly variables: Collection<Variable>;
  readonly channels: Collection<AlertChannel>;
  readonly triggers: Collection<Trigger>;
  readonly maintenanceWindows: Collection<MaintenanceWindow>;
  readonly pageServices: Collection<PageService>;
  readonly statusPages: Collection<StatusPage>;
  readonly slos: Collection<Slo>;
  readonly badges: Collection<BadgeRecord>;
  readonly dashboards: Collection<Dashboard>;
  readonly dashboardIncidents: Collection<DashboardIncident>;
  readonly mutes: Collection<Mute>;
  readonly signIns: Collection<SignIn>;
  readonly counters: Collection<Counter>;
  /** Rejects as a StoreError where no change can be kept any more. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Records of one kind. A record is never changed in place: it is replaced. */
export interface Collection<T extends { id: string }> {
  get(id: string): T | undefined;
  /** In the order of creation. */
  all(): readonly T[];
  readonly size: number;
  /** How many more the file holds that could not be read: nobody knows them, nor that they are gone. */
  readonly unreadable: number;
  /** Inserts or replaces; rejects, and changes nothing, where it cannot be kept. */
  put(record: T): Promise<void>;
  /** False where there was none. */
  delete(id: string): Promise<boolean>;
  /** Called after each change that was kept. Returns the way to stop. */
  subscribe(listener: (change: Change<T>) => void): () => void;
}

export type Change<T> =
  | { kind: 'put'; record: T; previous: T | undefined }
  | { kind: 'delete'; record: T };

/** An API key: only its SHA-256 is kept. */
export interface ApiKey {
  /** UUID; what `watchpost keys revoke` takes. */
  id: string;
  name: string;
  /** Lower-case hex SHA-256 of the key. */
  hash: string;
  /** The first characters of the key, to tell keys apart. */
  prefix: string;
  created_at: string;
}

export interface Account {
  /** UUID. */
  id: string;
  name: string;
  /** Default runtime of checks that name none. */
  runtimeId: string;
  /** Of checks that name none; null: no retries; undefined: their `doubleCheck` decides. */
  retryStrategy?: RetryStrategy | null | undefined;
  /** Of checks and groups with `useGlobalAlertSettings`; the defaults where it is missing. */
  alertSettings?: AlertSettings | undefined;
  /** When checks count as flapping; the defaults where it is missing. */
  flapping?: FlapSettings | undefined;
  /** Of every channel; those that the appliance was started with where it is missing. */
  storms?: StormSettings | undefined;
  created_at: string;
}

/** The last whole number that was given out as an id, so that none is used again. */
export interface Counter {
  /** What the ids are of: the name of a collection. */
  id: string;
  last: number;
}

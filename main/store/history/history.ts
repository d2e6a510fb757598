import type { AlertType } from '#shared/alerting/alert-type.ts';
import type { KeptAlertState } from '#shared/alerting/kept-alert-state.ts';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import type { SeriesQuery } from '#shared/analytics/series.ts';
import type { RunCounting } from '#shared/analytics/slo-counts.ts';
import type { RunCount } from '#shared/analytics/slo-rules.ts';
import type { Problem } from '#shared/api/problems.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import type { ResultAddress, RunArtifact } from '#shared/artifacts/artifact.ts';
import type { CheckType, HeartbeatState } from '#shared/checks/enums.ts';
import type { RunSummary } from '#shared/dashboards/run-summary.ts';
import type { ErrorGroupArchive, StoredErrorGroup } from '#shared/error-groups/error-group.ts';
import type { IncidentHead, StoredIncident } from '#shared/incidents/incident.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import type { LoggedNotification, StoredNotification } from '#shared/notifications/notification.ts';
import type { ResultField, StoredResult } from '#shared/results/check-result.ts';
import type { KeptStatus } from '#shared/results/check-status.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import type { StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import type {
  StoredTestSession,
  TestSessionHead,
  TestSessionResult,
  TestSessionStatus,
} from '#shared/sessions/test-session.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import type { StoredSubscription } from '#shared/status-pages/subscription.ts';
import type { BatchSummary } from '#shared/summaries/session-summary.ts';
import type { ArtifactSigning } from '../artifacts/artifact-token.ts';
import type { StorageState } from '../storage-state.ts';
import type { KindUse } from './storage-meter.ts';
import type { StoredWindow, WindowQuery } from './window-reader.ts';

/**
 * History: everything that happened. The port that the rest of the appliance sees; SQLite in a
 * thread of its own stands behind it, and a memory one in the tests of the machines.
 */
export interface History {
  /** Keeps a batch of records in one transaction; resolves once it survives `kill -9`. */
  write(records: HistoryRecords): Promise<void>;
  /** Everything that actors need to go on after a restart, by check id. */
  loadStates(): Promise<Map<string, KeptState>>;
  listResults(query: ResultQuery): Promise<ResultPage>;
  findResult(query: FoundResultQuery): Promise<JsonText | null>;
  listHeartbeatEvents(query: HeartbeatEventQuery): Promise<StoredHeartbeatEvent[]>;
  findHeartbeatEvent(query: {
    checkId: string;
    eventId: string;
  }): Promise<StoredHeartbeatEvent | null>;
  /** Passing and all events of `[from, to)`, epoch ms. */
  countHeartbeatEvents(query: {
    checkId: string;
    from: number;
    to: number;
  }): Promise<{ passing: number; total: number }>;
  /** The sessions that are not over, oldest first, by pages. */
  loadOpenSessions(query: OpenQuery): Promise<StoredSession[]>;
  /** The batches that hold one of them, oldest first, by pages. */
  loadOpenBatches(query: OpenQuery): Promise<StoredBatch[]>;
  findSession(sessionId: string): Promise<StoredSession | null>;
  /** What triggers made lately, newest first. */
  listBatches(query: { limit: number }): Promise<BatchSummary[]>;
  /** The sessions that were made together with one, it too; none where it is unknown. */
  listBatch(sessionId: string): Promise<StoredSession[]>;
  findTestSession(sessionId: string): Promise<StoredTestSession | null>;
  /** The ids of the test sessions that are not over, oldest first, by pages. */
  loadOpenTestSessions(query: OpenQuery): Promise<string[]>;
  listTestSessions(query: TestSessionQuery): Promise<TestSessionPage>;
  /** One result of a test session, with its detail as JSON text where there is one. */
  findTestResult(
    query: TestResultQuery,
  ): Promise<{ result: TestSessionResult; detail: string | null } | null>;
  /** What a result left, in its order; null where there is no such result. */
  listArtifacts(of: ResultAddress): Promise<RunArtifact[] | null>;
  findArtifact(query: ResultAddress & { name: string }): Promise<RunArtifact | null>;
  /** Of the result of a check that was settled at a moment. */
  findArtifactAt(query: ArtifactMoment): Promise<RunArtifact | null>;
  /** Those of these hashes (hexadecimal) that no artifact has. */
  listUnnamed(hashes: readonly string[]): Promise<string[]>;
  /** Newest first. */
  listAlerts(query: AlertQuery): Promise<{ alerts: StoredAlert[]; total: number }>;
  /** When the check of each alert passed again, epoch ms, in their order; null: it did not yet. */
  findRecoveries(
    alerts: readonly Pick<StoredAlert, 'id' | 'checkId'>[],
  ): Promise<(number | null)[]>;
  /** The checks with alerts in `[from, to)`, epoch ms, those with most first. */
  listAlertingChecks(query: TimeRange & { limit: number }): Promise<string[]>;
  /** The pending notifications, PENDING and IN_PROGRESS, oldest first, by pages. */
  loadPendingNotifications(query: PendingQuery): Promise<StoredNotification[]>;
  /** What is known of each channel of which anything is, by its id. */
  loadChannelStates(): Promise<Map<string, ChannelState>>;
  /** The delivery log, newest first. */
  listNotifications(query: NotificationQuery): Promise<NotificationPage>;
  findNotification(notificationId: string): Promise<StoredNotification | null>;
  /** The FINAL results of checks in a period, oldest first, as the alert decision sees them. */
  listOutcomes(query: OutcomeQuery): Promise<OutcomeRow[]>;
  /** The series of an analytics report, from the numbers of FINAL results. */
  analyse(query: AnalyticsHistoryQuery): Promise<AnalyticsAnswer>;
  /** The same from the events of a heartbeat check. */
  analyseEvents(query: EventAnalyticsQuery): Promise<AnalyticsAnswer>;
  /** The last runs of checks in a few numbers, in the order of the ids; of an unknown check, of no run. */
  summariseRuns(query: SummaryQuery): Promise<RunSummary[]>;
  /** What the summary of checks begins with, in the order of the ids; of an unknown check, of no run. */
  readWindows(query: WindowQuery): Promise<StoredWindow[]>;
  /** Counts the conclusive runs of a check, or the events of a heartbeat, in each range. */
  countRuns(query: RunCountQuery): Promise<RunCount[]>;
  /** Groups of failures that are not archived, the last seen first. */
  listErrorGroups(query: ErrorGroupQuery): Promise<{ groups: StoredErrorGroup[]; total: number }>;
  findErrorGroup(id: string): Promise<StoredErrorGroup | null>;
  findIncident(incidentId: string): Promise<StoredIncident | null>;
  /** Those of these ids that there are, newest first. */
  findIncidents(incidentIds: readonly string[]): Promise<StoredIncident[]>;
  /** Newest first. */
  listIncidents(query: IncidentQuery): Promise<StoredIncident[]>;
  /** Those that automation looks after, oldest first, by pages. */
  loadAutomatedIncidents(query: OpenQuery): Promise<StoredIncident[]>;
  /** Those that were open at some time of `[from, to)`, epoch ms, newest start first. */
  listIncidentHeads(query: IncidentHeadQuery): Promise<IncidentHead[]>;
  /** Those of a page, in the order of their addresses, by pages. */
  listSubscriptions(query: SubscriptionQuery): Promise<StoredSubscription[]>;
  /** Those of a page that have one of these addresses, and how many the page has in all. */
  findSubscriptions(query: {
    pageId: string;
    addresses: readonly string[];
  }): Promise<{ found: StoredSubscription[]; total: number }>;
  findSubscription(subscriptionId: string): Promise<StoredSubscription | null>;
  /** Verified subscriptions of any of these pages, in the order of their addresses, by pages. */
  listSubscribers(query: SubscriberQuery): Promise<StoredSubscription[]>;
  /**
   * Of the mailings that are not done the one to send next: of those that are due at `now` (epoch ms) a
   * confirmation, or else the oldest; where none is, the one that is due first. Null: none is left.
   */
  nextMailing(now: number): Promise<StoredMailing | null>;
  /** Calls the listener with the incidents of each write, once it is kept. Returns the way to stop. */
  watchIncidents(listener: (incidents: readonly StoredIncident[]) => void): () => void;
  /** Calls the listener after each write of alerts or notifications. Returns the way to stop. */
  watchAlerts(listener: () => void): () => void;
  /**
   * Forgets a check's history in slices, in the background; survives a restart. Its sessions stay:
   * their own machine ends them.
   */
  forget(checkId: string): Promise<void>;
  /**
   * When the appliance was last known to be alive before this start, epoch ms, within some seconds;
   * null at the first start of all.
   */
  lastAliveAt(): Promise<number | null>;
  /** What is waiting to be written, and how long writing takes. */
  readonly writeLoad: WriteLoad;
  /** Numbers for those who look after the appliance. */
  readLoad(): Promise<HistoryLoad>;
  /** Keeps a mark, to see whether anything can be kept now; rejects where it cannot. */
  probe(): Promise<StorageState>;
  /** What each kind of history takes on the disk, measured within the last ten minutes. */
  measure(): Promise<KindUse[]>;
  /** Somebody says that the clock is right, however far it jumped: old history may go by it. */
  confirmClock(): Promise<StorageState>;
  /** Writes what is queued and ends. */
  close(): Promise<void>;
}

/** What happened, in the order of the list. A part left out is empty. */
export interface HistoryRecords {
  results?: KeptResult[];
  heartbeatEvents?: StoredHeartbeatEvent[];
  /** Slots that no run was made for. */
  skips?: SkippedSlots[];
  alerts?: StoredAlert[];
  /** Replaced whole, by id. One that is kept as settled is never changed again. */
  notifications?: StoredNotification[];
  /** Of channels after these records, replaced whole; null where nothing is known any more. */
  channelStates?: { channelId: string; state: ChannelState | null }[];
  /**
   * Replaced whole, by id. One that is kept as over is never changed again: what comes late for it
   * is dropped. The time of an id is that of `createdAt`.
   */
  sessions?: StoredSession[];
  batches?: StoredBatch[];
  /** As sessions: over is what does not run. */
  testSessions?: TestSessionHead[];
  /**
   * Results of test sessions. One that is pending is replaced whole, by its id; any other is never
   * changed again, nor is its detail.
   */
  testResults?: KeptTestResult[];
  /** How groups of failures are archived from now on, by id. */
  errorGroupArchives?: { id: string; archived: ErrorGroupArchive }[];
  /** Replaced whole, by id, where the revision is newer than what is stored. */
  incidents?: StoredIncident[];
  /** Replaced whole, by id; one with the page and the address of another is dropped. */
  subscriptions?: StoredSubscription[];
  /** The ids of subscriptions that ended. */
  endedSubscriptions?: string[];
  /** The ids of pages that are gone, and all of their subscriptions with them. */
  endedPages?: string[];
  /** Replaced whole, by id, until they are done; a second one of a key is dropped. */
  mailings?: StoredMailing[];
  /** The state of actors after these records, replaced whole. */
  states?: { checkId: string; state: KeptState }[];
}

export interface KeptResult {
  result: StoredResult;
  /** JSON text. */
  detail: string;
  /** What the run left; its contents are in the artifact store. */
  artifacts?: readonly RunArtifact[] | undefined;
}

export interface KeptTestResult {
  sessionId: string;
  result: TestSessionResult;
  detail?: string | undefined;
  artifacts?: readonly RunArtifact[] | undefined;
  /** Why it failed, where it did. */
  error?: string | undefined;
}

export interface SkippedSlots {
  checkId: string;
  /** First and last slot of the gap, epoch ms. */
  fromSlot: number;
  toSlot: number;
  count: number;
  reason: 'overlap' | 'down' | 'asleep' | 'maintenance' | 'overload' | 'blind';
}

export interface WriteLoad {
  /** Records that are waiting or being written. */
  readonly waiting: number;
  /**
   * The part of the room for what waits that is filled, in records or in characters of bodies, whichever is more: from 0,
   * and infinite where the records that are to come need all of it.
   */
  filled(toCome: number): number;
  /** Calls a listener with the milliseconds that each transaction took, refused ones too. */
  listen(listener: (durationMs: number) => void): void;
}

export interface HistoryLoad {
  /** Incidents of status pages that are not resolved. */
  openIncidents: number;
  /** Mailings to subscribers that are not done. */
  openMailings: number;
  /** Of the database's file, without its write-ahead log. */
  fileBytes: number;
}

/** What an actor keeps with the record that changed it. */
export interface KeptState {
  /** The machine's own counters, plain JSON. */
  actor: Readonly<Record<string, unknown>>;
  status: KeptStatus | null;
  /** What the alert decision knows; missing where nothing happened yet. */
  alert?: KeptAlertState | undefined;
}

/** JSON text in UTF-8, ready to send: made in the reader's thread, never parsed in the main one. */
export type JsonText = Uint8Array;

export interface ResultQuery {
  checkId: string;
  /** The check's name, which every entry shows. */
  name: string;
  limit: number;
  resultType: 'FINAL' | 'ATTEMPT' | 'ALL';
  /** Epoch ms of `createdAt`; inclusive and exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  location?: string | undefined;
  hasFailures?: boolean | undefined;
  checkType?: string | undefined;
  fields?: readonly ResultField[] | undefined;
  /** As of {@link FoundResultQuery}. */
  links?: ArtifactSigning | undefined;
  /** Either entries to pass over (v1), or the `nextBefore` of the page before (v2); newest first. */
  offset?: number | undefined;
  before?: string | undefined;
  /** Whether the total is asked for (v1's Content-Range). */
  withTotal?: boolean | undefined;
}

export interface FoundResultQuery {
  checkId: string;
  resultId: string;
  name: string;
  /** With them, details have URLs of artifacts in the place of their names. */
  links?: ArtifactSigning | undefined;
}

export interface TestResultQuery {
  sessionId: string;
  resultId: string;
  /** As of {@link FoundResultQuery}. */
  links?: ArtifactSigning | undefined;
}

export interface ResultPage {
  /** A JSON array of check results (2.7). */
  entries: JsonText;
  length: number;
  /** The UUID to pass as `before` for the next page, no result's id; null on the last one. */
  nextBefore: string | null;
  total: number | null;
}

export interface ArtifactMoment {
  checkId: string;
  /** Where the run was to be made. */
  location: string;
  /** When its result was settled, epoch ms. */
  createdAt: number;
  name: string;
}

export interface AlertQuery {
  /** Undefined: of every check. */
  checkId?: string | undefined;
  /** Only of these types; undefined: of all but `NO_ALERT`. */
  types?: readonly AlertType[] | undefined;
  /** True: only alerts of which nobody was told; false: all others. */
  isWithheld?: boolean | undefined;
  /** Epoch ms of `createdAt`; inclusive and exclusive. */
  from: number;
  to: number;
  limit: number;
  offset: number;
}

export interface NotificationQuery {
  /** Epoch ms of `createdAt`; inclusive and exclusive. */
  from: number;
  to: number;
  limit: number;
  offset: number;
  channelId?: string | undefined;
  /** Undefined: about any check, or none. */
  checkId?: string | undefined;
  /** True: only FAILURE and RATE_LIMITED, their own or their carrier's; false: all others. */
  hasFailures?: boolean | undefined;
}

export interface NotificationPage {
  notifications: LoggedNotification[];
  total: number;
}

export interface PendingQuery {
  /** The id of the last entry seen. */
  after?: string | undefined;
  limit: number;
}

export type OpenQuery = PendingQuery;

export interface AnalyticsHistoryQuery extends SeriesQuery {
  checkId: string;
  checkType: CheckType;
  /** Epoch ms of `createdAt`; inclusive and exclusive. */
  from: number;
  to: number;
  /** The base metrics that `metrics` are of, and by `pageIndex` every web vital. */
  bases: readonly string[];
}

export type AnalyticsAnswer =
  | {
      /** A JSON array of series. */
      series: JsonText;
      /** The time that they are of, epoch ms: wider than asked for where only the sums of days remain. */
      from: number;
      to: number;
      /** False where some of it came from sums of days, whose percentiles are of sketches. */
      isExact: boolean;
    }
  /** What the sums of days cannot show of the query. */
  | { problems: Problem[] };

export interface RunCountQuery extends RunCounting {
  checkId: string;
  checkType: CheckType;
}

export interface EventAnalyticsQuery extends SeriesQuery {
  checkId: string;
  /** Epoch ms; inclusive and exclusive. */
  from: number;
  to: number;
  /** Only events of these states; none: of all. */
  states: readonly HeartbeatState[];
}

export interface ErrorGroupQuery {
  of: 'checks' | 'testSessions';
  /** Only those of this check. */
  checkId?: string | undefined;
  limit: number;
  offset: number;
}

export interface IncidentQuery {
  limit: number;
  /** The id of the last entry seen. */
  before?: string | undefined;
}

export interface IncidentHeadQuery {
  from: number;
  to: number;
  limit: number;
}

export interface SubscriptionQuery {
  pageId: string;
  /** The last address seen; null: from the first one. */
  after: string | null;
  limit: number;
}

export interface SubscriberQuery {
  pageIds: readonly string[];
  /** The last address seen; null: from the first one. */
  after: string | null;
  limit: number;
}

export interface OutcomeQuery {
  checkIds: readonly string[];
  /** Epoch ms; inclusive and exclusive. */
  from: number;
  to: number;
  limit: number;
}

export interface SummaryQuery {
  checkIds: readonly string[];
  /** Epoch ms; inclusive. */
  from: number;
  /** The newest FINAL results of each check that count. */
  limit: number;
}

export interface OutcomeRow {
  checkId: string;
  checkRunId: number;
  createdAt: number;
  hasFailures: boolean;
  hasErrors: boolean;
  isDegraded: boolean;
}

export interface TestSessionQuery {
  /** The one account, which every entry shows. */
  accountId: string;
  limit: number;
  /** Only these; none: no session. */
  statuses: readonly TestSessionStatus[];
  /** Epoch ms of the creation; inclusive and exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** Part of the name, in any case. */
  textSearch?: string | undefined;
  /** Only sessions with a failure of this group. */
  errorGroupId?: string | undefined;
  /** `branchName` of the metadata; none: any. */
  branches: readonly string[];
  /** The id of the last entry seen; newest first. */
  before?: string | undefined;
}

export interface TestSessionPage {
  /** A JSON array of entries of the list of test sessions. */
  entries: JsonText;
  length: number;
  /** The id to pass as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

export interface HeartbeatEventQuery {
  checkId: string;
  /** Epoch ms; inclusive and exclusive. */
  from: number;
  to: number;
  limit: number;
}

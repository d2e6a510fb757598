import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import type { TestSessionResult } from '#shared/sessions/test-session.ts';
import type { StorageState } from '../storage-state.ts';
import type { StoreErrorCode } from '../store-error.ts';
import type {
  AlertQuery,
  HeartbeatEventQuery,
  HistoryRecords,
  JsonText,
  NotificationQuery,
  OpenQuery,
  OutcomeQuery,
  OutcomeRow,
  PendingQuery,
  ResultPage,
  ResultQuery,
  TestSessionPage,
  TestSessionQuery,
} from './history.ts';

/** What became of the facts of one caller. */
export type Outcome =
  | {
      kept: true;
      /** FINAL results of a slot that had one already, and results that were there already. */
      refused: number;
      /** Details that were too large to keep. */
      oversized: number;
    }
  | { kept: false; code: StoreErrorCode; message: string };

/** What the writer's thread can be asked. Times are epoch ms. */
export type WriterCalls = {
  /** The facts of several callers; their outcomes in the same order. */
  write: { takes: readonly HistoryRecords[]; answers: Outcome[] };
  forget: { takes: { checkId: string; now: number }; answers: null };
  /** Records that the appliance is alive. */
  stamp: { takes: number; answers: StorageState };
  /** The clock shows the right time, however far it jumped. */
  confirmClock: { takes: number; answers: StorageState };
  /** Starts to remove what is due; answers at once. */
  sweep: { takes: number; answers: null };
  close: { takes: number; answers: null };
};

/** What the reader's thread can be asked. */
export type ReaderCalls = {
  listResults: { takes: ResultQuery; answers: ResultPage };
  findResult: {
    takes: { checkId: string; resultId: string; name: string };
    answers: JsonText | null;
  };
  listHeartbeatEvents: { takes: HeartbeatEventQuery; answers: StoredHeartbeatEvent[] };
  findHeartbeatEvent: {
    takes: { checkId: string; eventId: string };
    answers: StoredHeartbeatEvent | null;
  };
  countHeartbeatEvents: {
    takes: { checkId: string; from: number; to: number };
    answers: { passing: number; total: number };
  };
  /** JSON text of `[check id, actor, status, alert]` of every check. */
  loadStates: { takes: null; answers: string };
  /** JSON text of an array. */
  loadOpenSessions: { takes: OpenQuery; answers: string };
  loadOpenBatches: { takes: OpenQuery; answers: string };
  /** JSON text of the session with this id. */
  findSession: { takes: string; answers: string | null };
  findTestSession: { takes: string; answers: string | null };
  /** JSON text of an array of ids. */
  loadOpenTestSessions: { takes: OpenQuery; answers: string };
  listTestSessions: { takes: TestSessionQuery; answers: TestSessionPage };
  findTestResult: {
    takes: { sessionId: string; resultId: string };
    answers: { result: TestSessionResult; detail: string | null } | null;
  };
  listAlerts: { takes: AlertQuery; answers: { alerts: StoredAlert[]; total: number } };
  /** JSON text of an array. */
  loadPendingNotifications: { takes: PendingQuery; answers: string };
  /** JSON text of `[channel id, state]` of every channel of which anything is known. */
  loadChannelStates: { takes: null; answers: string };
  /** The entries are JSON text of an array. */
  listNotifications: { takes: NotificationQuery; answers: { entries: string; total: number } };
  /** JSON text of the notification with this id. */
  findNotification: { takes: string; answers: string | null };
  listOutcomes: { takes: OutcomeQuery; answers: OutcomeRow[] };
  close: { takes: null; answers: null };
};

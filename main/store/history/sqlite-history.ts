import type { Clock } from '#shared/clock.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import type { LoggedNotification, StoredNotification } from '#shared/notifications/notification.ts';
import type { StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import type { StorageState } from '../storage-state.ts';
import { StoreError } from '../store-error.ts';
import type { StoreLog } from '../store-log.ts';
import type { StoreThread } from '../thread/store-thread.ts';
import type { Outcome, ReaderCalls, WriterCalls } from './calls.ts';
import type {
  AlertQuery,
  HeartbeatEventQuery,
  History,
  HistoryRecords,
  KeptState,
  NotificationQuery,
  OpenQuery,
  OutcomeQuery,
  PendingQuery,
  ResultQuery,
  TestSessionQuery,
} from './history.ts';
import { PacedProbe } from './paced-probe.ts';
import { type QueueOptions, WriteQueue } from './write-queue.ts';
import type { WriterOpened } from './writer-thread.ts';

/** How often the appliance leaves word that it is alive. */
const STAMP_MS = 5_000;
/**
 * One stamp in so many, and the first, also has removed what is due: whatever a crash cut short goes
 * on at the start.
 */
const STAMPS_PER_SWEEP = 12;

/** The parts that a history stands on. */
export interface HistoryParts {
  writer: StoreThread<WriterCalls, WriterOpened>;
  reader: StoreThread<ReaderCalls, null>;
  lastAliveAt: number | null;
  clock: Clock;
  log: StoreLog;
  queue?: QueueOptions | undefined;
}

/** The history in SQLite, as the main thread sees it: everything is done by its two threads. */
export class SqliteHistory implements History {
  readonly #parts: HistoryParts;
  readonly #queue: WriteQueue;
  readonly #probe: PacedProbe<StorageState>;
  #closed = false;
  #timer: unknown;
  #stamps = 0;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.#queue = new WriteQueue(
      (batch) => parts.writer.call('write', batch),
      (outcome) => this.#report(outcome),
      parts.queue,
    );
    const { clock, writer } = parts;
    this.#probe = new PacedProbe(clock, () => writer.call('stamp', clock.now()));
    this.#stamp();
  }

  async write(facts: HistoryRecords): Promise<void> {
    if (this.#closed) throw new StoreError('CLOSED', 'The history is closed.');
    return this.#queue.write(facts);
  }

  async loadStates(): Promise<Map<string, KeptState>> {
    const text = await this.#parts.reader.call('loadStates', null);
    return new Map((JSON.parse(text) as StateRow[]).map(readState));
  }

  listResults(query: ResultQuery) {
    return this.#parts.reader.call('listResults', query);
  }

  findResult(query: { checkId: string; resultId: string; name: string }) {
    return this.#parts.reader.call('findResult', query);
  }

  listHeartbeatEvents(query: HeartbeatEventQuery) {
    return this.#parts.reader.call('listHeartbeatEvents', query);
  }

  findHeartbeatEvent(query: { checkId: string; eventId: string }) {
    return this.#parts.reader.call('findHeartbeatEvent', query);
  }

  countHeartbeatEvents(query: { checkId: string; from: number; to: number }) {
    return this.#parts.reader.call('countHeartbeatEvents', query);
  }

  async loadOpenSessions(query: OpenQuery): Promise<StoredSession[]> {
    return JSON.parse(await this.#parts.reader.call('loadOpenSessions', query));
  }

  async loadOpenBatches(query: OpenQuery): Promise<StoredBatch[]> {
    return JSON.parse(await this.#parts.reader.call('loadOpenBatches', query));
  }

  async findSession(sessionId: string): Promise<StoredSession | null> {
    return parse(await this.#parts.reader.call('findSession', sessionId));
  }

  async findTestSession(sessionId: string): Promise<StoredTestSession | null> {
    return parse(await this.#parts.reader.call('findTestSession', sessionId));
  }

  async loadOpenTestSessions(query: OpenQuery): Promise<string[]> {
    return JSON.parse(await this.#parts.reader.call('loadOpenTestSessions', query));
  }

  listTestSessions(query: TestSessionQuery) {
    return this.#parts.reader.call('listTestSessions', query);
  }

  findTestResult(query: { sessionId: string; resultId: string }) {
    return this.#parts.reader.call('findTestResult', query);
  }

  listAlerts(query: AlertQuery) {
    return this.#parts.reader.call('listAlerts', query);
  }

  async loadPendingNotifications(query: PendingQuery): Promise<StoredNotification[]> {
    return JSON.parse(await this.#parts.reader.call('loadPendingNotifications', query));
  }

  async loadChannelStates(): Promise<Map<string, ChannelState>> {
    return new Map(JSON.parse(await this.#parts.reader.call('loadChannelStates', null)));
  }

  async listNotifications(query: NotificationQuery) {
    const { entries, total } = await this.#parts.reader.call('listNotifications', query);
    return { notifications: JSON.parse(entries) as LoggedNotification[], total };
  }

  async findNotification(notificationId: string): Promise<StoredNotification | null> {
    return parse(await this.#parts.reader.call('findNotification', notificationId));
  }

  listOutcomes(query: OutcomeQuery) {
    return this.#parts.reader.call('listOutcomes', query);
  }

  async forget(checkId: string): Promise<void> {
    await this.#parts.writer.call('forget', { checkId, now: this.#parts.clock.now() });
  }

  async lastAliveAt(): Promise<number | null> {
    return this.#parts.lastAliveAt;
  }

  probe(): Promise<StorageState> {
    return this.#probe.ask();
  }

  confirmClock(): Promise<StorageState> {
    const { clock, writer } = this.#parts;
    return writer.call('confirmClock', clock.now());
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { clock, log, reader, writer } = this.#parts;
    clock.clearTimeout(this.#timer);
    await this.#queue.settle();
    try {
      await reader.call('close', null);
      // Last: the connection that closes last takes the write-ahead log into the database.
      await writer.call('close', clock.now());
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // What was written stays written; only the time of this stop is not known to the next start.
      log.warn({ err: error }, 'The history could not be closed in order.');
    } finally {
      await Promise.all([reader.end(), writer.end()]);
    }
  }

  #stamp(): void {
    const { clock, writer, log } = this.#parts;
    const now = clock.now();
    const sweeps = this.#stamps % STAMPS_PER_SWEEP === 0;
    this.#stamps += 1;
    const calls = [writer.call('stamp', now), ...(sweeps ? [writer.call('sweep', now)] : [])];
    Promise.all(calls).catch((error) => {
      if (!this.#closed) log.warn({ err: error }, 'The history could not be looked after.');
    });
    this.#timer = clock.setTimeout(() => this.#stamp(), STAMP_MS);
  }

  #report({ refused, oversized }: Extract<Outcome, { kept: true }>): void {
    const { log } = this.#parts;
    if (refused > 0) {
      log.warn({ refused }, 'Results were refused: they, or their slot, had been kept before.');
    }
    if (oversized > 0) {
      log.warn({ oversized }, 'Results were kept without their details, which are too large.');
    }
  }
}

type StateRow = [string, KeptState['actor'], KeptState['status'], KeptState['alert'] | null];

function readState([checkId, actor, status, alert]: StateRow): [string, KeptState] {
  return [checkId, { actor, status, ...(alert && { alert }) }];
}

/** What was stored from the same type; it is read once, at the door of the thread. */
function parse<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

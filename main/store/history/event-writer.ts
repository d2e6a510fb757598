import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import { AlertWriter } from './alert-writer.ts';
import type { ArtifactRows } from './artifact-rows.ts';
import type { Bodies } from './bodies.ts';
import { type Dictionary, FORGOTTEN } from './dictionary.ts';
import type { ErrorGroupWriter } from './error-group-writer.ts';
import type { HistoryRecords, KeptState, SkippedSlots } from './history.ts';
import { IncidentWriter } from './incident-writer.ts';
import type { Packs } from './packs.ts';
import { ResultWriter } from './result-writer.ts';
import type { RollUps } from './roll-ups.ts';
import { SessionWriter } from './session-writer.ts';
import { requireUuid, timeOfUuid } from './uuid.ts';

/** What was not kept of some records, although they were taken. */
export interface Tally {
  refused: number;
  oversized: number;
}

interface EventWriterParts {
  keys: Dictionary;
  artifacts: ArtifactRows;
  details: Bodies;
  packs: Packs;
  rollUps: RollUps;
  errorGroups: ErrorGroupWriter;
}

/** Writes records of every kind, inside a transaction that the caller holds. */
export class EventWriter {
  readonly #keys: Dictionary;
  readonly #packs: Packs;
  readonly #rollUps: RollUps;
  readonly #results: ResultWriter;
  readonly #sessions: SessionWriter;
  readonly #errorGroups: ErrorGroupWriter;
  readonly #alerts: AlertWriter;
  readonly #incidents: IncidentWriter;
  readonly #insertEvent: StatementSync;
  readonly #insertSkip: StatementSync;
  readonly #replaceState: StatementSync;

  constructor(
    database: DatabaseSync,
    { keys, artifacts, details, packs, rollUps, errorGroups }: EventWriterParts,
  ) {
    this.#keys = keys;
    this.#packs = packs;
    this.#rollUps = rollUps;
    this.#results = new ResultWriter(database, { keys, details, artifacts });
    this.#errorGroups = errorGroups;
    this.#sessions = new SessionWriter(database, { details, artifacts, errorGroups });
    this.#alerts = new AlertWriter(database);
    this.#incidents = new IncidentWriter(database);
    this.#insertEvent = database.prepare(
      `INSERT INTO heartbeat_events (check_key, id, state, source, user_agent)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    // A gap that grew is told again from its beginning: the longer one stands.
    this.#insertSkip = database.prepare(
      `INSERT INTO skips (check_key, from_slot, to_slot, count, reason) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET
         to_slot = max(to_slot, excluded.to_slot), count = max(count, excluded.count)`,
    );
    this.#replaceState = database.prepare(
      'INSERT OR REPLACE INTO states (check_key, actor, status, alert) VALUES (?, ?, ?, ?)',
    );
  }

  /** Records of a check that is being forgotten are dropped; its sessions and notifications are taken. */
  write(records: HistoryRecords): Tally {
    const tally = { refused: 0, oversized: 0 };
    for (const one of records.results ?? []) {
      const { result } = one;
      this.#ofCheck(result.checkId, (key) => {
        const { kept, oversized } = this.#results.write(key, one);
        if (kept) this.#resultWritten(key, result);
        tally.refused += Number(!kept);
        tally.oversized += Number(oversized);
      });
    }
    for (const event of records.heartbeatEvents ?? []) {
      this.#ofCheck(event.checkId, (key) => this.#writeEvent(key, event));
    }
    for (const skip of records.skips ?? []) {
      this.#ofCheck(skip.checkId, (key) => this.#writeSkip(key, skip));
    }
    for (const alert of records.alerts ?? []) {
      this.#ofCheck(alert.checkId, (key) => this.#alerts.writeAlert(key, alert));
    }
    for (const { checkId, state } of records.states ?? []) {
      this.#ofCheck(checkId, (key) => this.#writeState(key, state));
    }
    for (const notification of records.notifications ?? []) {
      this.#alerts.writeNotification(notification);
    }
    for (const { channelId, state } of records.channelStates ?? []) {
      this.#alerts.writeChannelState(channelId, state);
    }
    for (const { id, archived } of records.errorGroupArchives ?? []) {
      this.#errorGroups.archive(id, archived);
    }
    this.#incidents.write(records);
    tally.oversized += this.#writeSessions(records);
    return tally;
  }

  /** Answers how many details were too large to keep. */
  #writeSessions(records: HistoryRecords): number {
    for (const session of records.sessions ?? []) this.#sessions.writeSession(session);
    for (const batch of records.batches ?? []) this.#sessions.writeBatch(batch);
    for (const session of records.testSessions ?? []) this.#sessions.writeTestSession(session);
    const results = records.testResults ?? [];
    return results.filter((result) => !this.#sessions.writeTestResult(result)).length;
  }

  #ofCheck(checkId: string, write: (key: number) => void): void {
    const key = this.#keys.check(checkId);
    if (key !== FORGOTTEN) write(key);
  }

  #resultWritten(key: number, result: StoredResult): void {
    this.#packs.written(key, result.createdAt);
    this.#rollUps.resultWritten(key, result, this.#keys.word(result.runLocation));
    const { checkId, hasFailures, failure, createdAt } = result;
    if (hasFailures && failure) this.#errorGroups.failed(key, checkId, failure.message, createdAt);
  }

  #writeEvent(key: number, { id, state, source, userAgent }: StoredHeartbeatEvent): void {
    const bytes = requireUuid(id);
    const { changes } = this.#insertEvent.run(key, bytes, state, source, userAgent);
    if (changes > 0) this.#rollUps.eventWritten(key, timeOfUuid(bytes), state);
  }

  #writeSkip(key: number, { fromSlot, toSlot, count, reason }: SkippedSlots): void {
    this.#insertSkip.run(key, fromSlot, toSlot, count, reason);
  }

  #writeState(key: number, { actor, status, alert }: KeptState): void {
    const alertText = alert === undefined ? null : JSON.stringify(alert);
    this.#replaceState.run(key, JSON.stringify(actor), JSON.stringify(status), alertText);
  }
}

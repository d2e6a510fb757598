import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LINKED_DETAILS } from '#shared/artifacts/link-artifacts.ts';
import type {
  RunSource,
  SessionStatus,
  StoredBatch,
  StoredSession,
} from '#shared/sessions/check-session.ts';
import type {
  ListedTestSession,
  StoredTestSession,
  TestSessionHead,
  TestSessionResult,
  TestSessionStatus,
} from '#shared/sessions/test-session.ts';
import { viewTestEntry } from '#shared/sessions/test-session-entry.ts';
import { addToBatch, newBatchSummary } from '#shared/summaries/session-batch.ts';
import type { BatchSummary } from '#shared/summaries/session-summary.ts';
import { linkDetails } from '../artifacts/artifact-links.ts';
import { JsonAnswer } from '../thread/json-answer.ts';
import { ArtifactReader } from './artifact-reader.ts';
import { OF_TEST_SESSIONS } from './artifact-rows.ts';
import { unpackBody } from './body-text.ts';
import type { OpenQuery, TestResultQuery, TestSessionPage, TestSessionQuery } from './history.ts';
import { jsonText } from './json-text.ts';
import type { RecordKind } from './record-shapes.ts';
import { ifJson, recordRow, recordRows, type StoredRecords } from './stored-records.ts';
import {
  BEFORE_EVERY_ID,
  firstUuidAt,
  formatUuid,
  formatUuids,
  PAST_EVERY_ID,
  parseUuid,
  requireUuid,
  timeOfUuid,
} from './uuid.ts';

/**
 * A batch holds an open session. Read from its JSON: there are few batches, for a sweep removes those
 * that are over.
 */
export const HOLDS_OPEN_SESSION = `EXISTS (
  SELECT 1 FROM json_each(${ifJson('batches.body')}, '$.sessionIds') AS member
  JOIN sessions ON sessions.id = unhex(member.value, '-') AND sessions.open = 1)`;

/** Newest first. What people sent is a value; the search is no pattern, so it has no wildcards. */
const LIST_TEST_SESSIONS = `
  SELECT id, body FROM test_sessions
  WHERE id >= $from AND id < $to AND id < $before
    AND status IN (SELECT value FROM json_each($statuses))
    AND ($search IS NULL OR instr(search, $search) > 0)
    AND ($group IS NULL OR EXISTS (
      SELECT 1 FROM test_results r WHERE r.session_id = test_sessions.id AND r.error_group = $group))
    AND ($branches = '[]' OR branch IN (SELECT value FROM json_each($branches)))
  ORDER BY id DESC LIMIT $limit`;

/** Digits of the ids, one after another: a page may show a hundred thousand of them. */
export const LAST_RESULT_IDS = `
  SELECT status, lower(group_concat(hex(result_id), '' ORDER BY position)) AS ids
  FROM test_results WHERE session_id = ? AND attempt = 0 GROUP BY status`;

interface SessionRow {
  id: Uint8Array;
  status: SessionStatus;
  source: RunSource;
  name: string;
}

/** What is no UUID is the id of no group. */
const NO_GROUP = BEFORE_EVERY_ID;

const ERROR_GROUPS = `
  SELECT lower(group_concat(DISTINCT hex(error_group))) AS ids FROM test_results
  WHERE session_id = ? AND error_group IS NOT NULL`;

/** Sessions that are looked at for the list of what was triggered. */
const MAX_LISTED = 20_000;

const LAST_SESSIONS = `
  SELECT id, body ->> '$.status' AS status, body ->> '$.runSource' AS source, body ->> '$.name' AS name
  FROM (SELECT id, ${ifJson('body')} AS body FROM sessions ORDER BY id DESC LIMIT ${MAX_LISTED})`;

/** Answers what is asked of sessions and test sessions. */
export class SessionReader {
  readonly #openSessions: StatementSync;
  readonly #openBatches: StatementSync;
  readonly #session: StatementSync;
  readonly #lastSessions: StatementSync;
  readonly #batch: StatementSync;
  readonly #openTestSessions: StatementSync;
  readonly #testSession: StatementSync;
  readonly #testSessions: StatementSync;
  readonly #testResults: StatementSync;
  readonly #testResultIds: StatementSync;
  readonly #errorGroups: StatementSync;
  readonly #testResult: StatementSync;
  readonly #records: StoredRecords;
  readonly #artifacts: ArtifactReader;

  constructor(database: DatabaseSync, records: StoredRecords) {
    this.#records = records;
    this.#artifacts = new ArtifactReader(database);
    this.#openSessions = database.prepare(
      'SELECT id, body FROM sessions WHERE open = 1 AND id > $after ORDER BY id',
    );
    this.#openBatches = database.prepare(
      `SELECT id, body FROM batches WHERE id > $after AND ${HOLDS_OPEN_SESSION} ORDER BY id`,
    );
    this.#session = database.prepare('SELECT id, body FROM sessions WHERE id = ?');
    this.#lastSessions = database.prepare(LAST_SESSIONS);
    this.#batch = database.prepare('SELECT id, body FROM sessions WHERE id >= ? AND id < ?');
    this.#openTestSessions = database.prepare(
      `SELECT id FROM test_sessions WHERE status = 'RUNNING' AND id > $after
       ORDER BY id LIMIT $limit`,
    );
    this.#testSession = database.prepare('SELECT id, body FROM test_sessions WHERE id = ?');
    this.#testSessions = database.prepare(LIST_TEST_SESSIONS);
    // The ids of attempts begin with their times; the last result of a check comes after them.
    this.#testResults = database.prepare(
      `SELECT result_id AS id, body FROM test_results WHERE session_id = ?
       ORDER BY position, attempt DESC, result_id`,
    );
    this.#testResultIds = database.prepare(LAST_RESULT_IDS);
    this.#errorGroups = database.prepare(ERROR_GROUPS);
    this.#testResult = database.prepare(
      `SELECT r.result_id AS id, r.body, d.body AS detail FROM test_results r
       LEFT JOIN test_details d ON d.id = r.detail
       WHERE r.session_id = ? AND r.result_id = ?`,
    );
  }

  /** Oldest first. */
  loadOpenSessions(query: OpenQuery): JsonAnswer<StoredSession[]> {
    return this.#page('session', this.#openSessions, query);
  }

  /** Oldest first. */
  loadOpenBatches(query: OpenQuery): JsonAnswer<StoredBatch[]> {
    return this.#page('batch', this.#openBatches, query);
  }

  findSession(sessionId: string): JsonAnswer<StoredSession> | null {
    const text = this.#bodyOf('session', this.#session.get(parseUuid(sessionId)));
    return text === null ? null : new JsonAnswer(text);
  }

  /** Sessions of one moment were made by one trigger. */
  listBatches({ limit }: { limit: number }): BatchSummary[] {
    const batches: BatchSummary[] = [];
    for (const row of this.#lastSessions.iterate()) {
      const { id, status, source, name } = row as unknown as SessionRow;
      const createdAt = timeOfUuid(id);
      let batch = batches.at(-1);
      if (batch?.createdAt !== createdAt) {
        if (batches.length === limit) break;
        batch = newBatchSummary({ id: formatUuid(id), createdAt, runSource: source });
        batches.push(batch);
      }
      addToBatch(batch, { status, name });
    }
    return batches;
  }

  listBatch(sessionId: string): JsonAnswer<StoredSession[]> | [] {
    const id = parseUuid(sessionId);
    if (id === null) return [];
    const at = timeOfUuid(id);
    const rows = recordRows(this.#batch.iterate(firstUuidAt(at), firstUuidAt(at + 1)));
    return new JsonAnswer(this.#records.array('session', rows, MAX_LISTED));
  }

  findTestSession(sessionId: string): JsonAnswer<StoredTestSession> | null {
    const id = parseUuid(sessionId);
    const head = this.#bodyOf('testSession', this.#testSession.get(id));
    if (head === null) return null;
    const results = this.#records.array('testResult', recordRows(this.#testResults.all(id)));
    return new JsonAnswer(withMember(head, 'results', results));
  }

  /** Their ids, oldest first. */
  loadOpenTestSessions(query: OpenQuery): string[] {
    const rows = this.#openTestSessions.all({ after: afterOf(query), limit: query.limit });
    return rows.map(({ id }) => formatUuid(id as Uint8Array));
  }

  listTestSessions(query: TestSessionQuery): TestSessionPage {
    const rows = this.#testSessions.all({
      from: firstUuidAt(query.from ?? 0),
      to: query.to === undefined ? PAST_EVERY_ID : firstUuidAt(query.to),
      before: query.before === undefined ? PAST_EVERY_ID : requireUuid(query.before),
      statuses: JSON.stringify(query.statuses),
      group: query.errorGroupId ? (parseUuid(query.errorGroupId) ?? NO_GROUP) : null,
      search: query.textSearch?.toLowerCase() ?? null,
      branches: JSON.stringify(query.branches),
      // One more than asked for tells whether there is a next page.
      limit: query.limit + 1,
    });
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const nextBefore = last && rows.length > page.length ? formatUuid(last.id as Uint8Array) : null;
    const entries = page.flatMap((row) => {
      const text = this.#bodyOf('testSession', row);
      if (text === null) return [];
      const head: TestSessionHead = JSON.parse(text);
      const resultIds = this.#idsByStatus(row.id as Uint8Array);
      const errorGroupIds = this.#errorGroupIds(row.id as Uint8Array);
      return [viewTestEntry({ ...head, resultIds, errorGroupIds }, query.accountId)];
    });
    return { entries: jsonText(entries), length: entries.length, nextBefore };
  }

  findTestResult(
    query: TestResultQuery,
  ): { result: TestSessionResult; detail: string | null } | null {
    const row = this.#testResult.get(parseUuid(query.sessionId), parseUuid(query.resultId));
    const text = this.#bodyOf('testResult', row);
    if (!row || text === null) return null;
    const detail = row.detail as string | Uint8Array | null;
    return {
      result: JSON.parse(text),
      detail: detail === null ? null : this.#linked(unpackBody(detail), query),
    };
  }

  /** Only what names artifacts is parsed. */
  #linked(detail: string, { links, ...of }: TestResultQuery): string {
    const isLinked = LINKED_DETAILS.some((key) => detail.startsWith(`{"${key}":`));
    const resultId = parseUuid(of.resultId);
    if (!links || !isLinked || resultId === null) return detail;
    const members = JSON.parse(detail);
    linkDetails(members, of, links, () =>
      this.#artifacts.namesOf({ checkKey: OF_TEST_SESSIONS, resultId }),
    );
    return JSON.stringify(members);
  }

  #page<T>(kind: RecordKind, open: StatementSync, query: OpenQuery): JsonAnswer<T[]> {
    const rows = recordRows(open.iterate({ after: afterOf(query) }));
    return new JsonAnswer(this.#records.array(kind, rows, query.limit));
  }

  #bodyOf(kind: RecordKind, row: Record<string, unknown> | undefined): string | null {
    return row ? this.#records.text(kind, recordRow(row)) : null;
  }

  #errorGroupIds(sessionId: Uint8Array): string[] {
    const ids = this.#errorGroups.get(sessionId)?.ids;
    return typeof ids === 'string' ? formatUuids(ids.replaceAll(',', '')) : [];
  }

  #idsByStatus(sessionId: Uint8Array): ListedTestSession['resultIds'] {
    const ids: Record<TestSessionStatus, string[]> = {
      RUNNING: [],
      FAILED: [],
      PASSED: [],
      CANCELLED: [],
    };
    for (const row of this.#testResultIds.all(sessionId)) {
      ids[row.status as TestSessionStatus] = formatUuids(String(row.ids));
    }
    return ids;
  }
}

function afterOf({ after }: OpenQuery): Uint8Array {
  return after === undefined ? BEFORE_EVERY_ID : requireUuid(after);
}

/** The JSON text of an object, which is not empty, with one more member. */
function withMember(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`;
}

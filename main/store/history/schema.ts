import type { DatabaseSync } from 'node:sqlite';

/** One step from a version of the database to the next; it runs in a transaction of its own. */
export type MigrationStep = (database: DatabaseSync) => void;

/** Marks a SQLite file as a history of Watchpost: "WPHi". */
export const APPLICATION_ID = 0x57504869;

/**
 * Everything that led to today's tables, in order: step n brings version n − 1 to n. A step that was
 * released is never changed; a new one is added at the end.
 */
export const MIGRATIONS: readonly MigrationStep[] = [
  firstTables,
  sessionTables,
  alertTables,
  testResultRows,
  channelTables,
  givenResultIds,
  incidentTables,
  packTable,
  rollUpTable,
  errorGroupTable,
  moreMetricsTable,
  artifactTable,
];

/**
 * - `checks.key` stands for a check's id everywhere. `forgotten_at` (epoch ms) marks a check whose
 *   history is being removed: nobody sees it any more and no new facts are taken for it.
 * - `words` holds the few different texts of results: types, locations, runners, causes.
 * - `results` holds the numbers, narrow and in the order in which they are read: by check, then by
 *   time, for the time is the beginning of a UUIDv7. Its columns m1 to m6 are named in metrics.ts.
 * - `passing_details` and `failing_details` hold the bodies, oldest first: `body` is text, or bytes
 *   where it is deflated. AUTOINCREMENT, for an id that came again would show another run's body.
 */
function firstTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE checks (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      forgotten_at INTEGER
    ) STRICT;
    CREATE INDEX checks_to_forget ON checks (forgotten_at) WHERE forgotten_at IS NOT NULL;

    CREATE TABLE words (key INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE) STRICT;

    CREATE TABLE results (
      check_key INTEGER NOT NULL,
      id BLOB NOT NULL,
      check_type INTEGER NOT NULL,
      final INTEGER NOT NULL,
      slot INTEGER,
      location INTEGER NOT NULL,
      runner INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      stopped_at INTEGER NOT NULL,
      response_ms REAL NOT NULL,
      run INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      sequence ANY NOT NULL,
      status_code INTEGER,
      has_failures INTEGER NOT NULL,
      has_errors INTEGER NOT NULL,
      is_degraded INTEGER NOT NULL,
      over_limit INTEGER NOT NULL,
      cause INTEGER,
      message TEXT,
      m1 REAL, m2 REAL, m3 REAL, m4 REAL, m5 REAL, m6 REAL,
      passing_detail INTEGER,
      failing_detail INTEGER,
      PRIMARY KEY (check_key, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX one_final_per_slot ON results (check_key, slot, location)
      WHERE final = 1 AND slot IS NOT NULL;

    CREATE TABLE passing_details (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      body ANY NOT NULL
    ) STRICT;
    CREATE TABLE failing_details (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      body ANY NOT NULL
    ) STRICT;

    CREATE TABLE heartbeat_events (
      check_key INTEGER NOT NULL,
      id BLOB NOT NULL,
      state TEXT NOT NULL,
      source TEXT,
      user_agent TEXT,
      PRIMARY KEY (check_key, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE skips (
      check_key INTEGER NOT NULL,
      from_slot INTEGER NOT NULL,
      to_slot INTEGER NOT NULL,
      count INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (check_key, from_slot, reason)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE states (
      check_key INTEGER PRIMARY KEY,
      actor TEXT NOT NULL,
      status TEXT NOT NULL
    ) STRICT;
  `);
}

/**
 * Each kind is kept whole in `body`, as JSON, beside the columns that queries need; its time is the
 * beginning of its UUIDv7.
 *
 * - `sessions.open` is 1 until a session is over. The index holds the few that are open.
 * - `test_sessions.search` is the name in lower case, `branch` the `branchName` of its metadata.
 * - `test_results` names the body of a run of a test session, which stands in `test_details` like
 *   those of other runs.
 */
function sessionTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE sessions (
      id BLOB NOT NULL PRIMARY KEY,
      open INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX open_sessions ON sessions (id) WHERE open = 1;

    CREATE TABLE batches (id BLOB NOT NULL PRIMARY KEY, body TEXT NOT NULL) STRICT;

    CREATE TABLE test_sessions (
      id BLOB NOT NULL PRIMARY KEY,
      status TEXT NOT NULL,
      search TEXT NOT NULL,
      branch TEXT,
      body TEXT NOT NULL
    ) STRICT;

    CREATE TABLE test_results (
      session_id BLOB NOT NULL,
      result_id BLOB NOT NULL,
      detail INTEGER NOT NULL,
      PRIMARY KEY (session_id, result_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE test_details (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      body ANY NOT NULL
    ) STRICT;
  `);
}

/**
 * - `alerts` is read by time, over all checks or one; it goes with its check as results do.
 * - `notifications` are kept whole in `body`, as JSON. `owed` is 1 until one is settled, and the
 *   index holds those pending. They belong to no check: a pending one is sent, also of a check
 *   that is gone.
 * - `states.alert` is what the alert decision knows of a check, as JSON; null before its first run.
 */
function alertTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE alerts (
      check_key INTEGER NOT NULL,
      id BLOB NOT NULL,
      check_type TEXT NOT NULL,
      name TEXT NOT NULL,
      alert_type TEXT NOT NULL,
      occasion TEXT NOT NULL,
      withheld TEXT,
      location TEXT,
      response_ms REAL,
      error TEXT,
      status_code INTEGER,
      result BLOB,
      started_at INTEGER NOT NULL,
      PRIMARY KEY (check_key, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alerts_by_time ON alerts (id);

    CREATE TABLE notifications (
      id BLOB NOT NULL PRIMARY KEY,
      owed INTEGER NOT NULL,
      channel TEXT NOT NULL,
      status TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX owed_notifications ON notifications (id) WHERE owed = 1;

    ALTER TABLE states ADD COLUMN alert TEXT;
  `);
}

/**
 * Each result of a test session has a row of its own, so that it is written alone: `position` says of
 * which check of the session it is, `attempt` is 1 for all but the last of it, and `detail` is null
 * where there is none. The index answers lists, which show ids alone, without reading a body.
 */
function testResultRows(database: DatabaseSync): void {
  database.exec(`
    ALTER TABLE test_results RENAME TO details_of_test_results;
    CREATE TABLE test_results (
      session_id BLOB NOT NULL,
      result_id BLOB NOT NULL,
      position INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      status TEXT NOT NULL,
      body TEXT NOT NULL,
      detail INTEGER,
      PRIMARY KEY (session_id, result_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX last_test_results ON test_results (session_id, status, position)
      WHERE attempt = 0;

    INSERT INTO test_results
    SELECT s.id, unhex(r.value ->> 'id', '-'), r.key, r.value ->> 'resultType' = 'ATTEMPT',
      r.value ->> 'status', json_set(r.value, '$.position', r.key), d.detail
    FROM test_sessions s, json_each(s.body, '$.results') r
    LEFT JOIN details_of_test_results d
      ON d.session_id = s.id AND d.result_id = unhex(r.value ->> 'id', '-');

    UPDATE test_sessions SET body = json_remove(body, '$.results');
    DROP TABLE details_of_test_results;
  `);
}

/** `channel_states` is what is known of a channel besides what it owes, as JSON. */
function channelTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE channel_states (
      channel TEXT NOT NULL PRIMARY KEY,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `);
}

/**
 * `results.given_id` is the id of a result that scripts or templates may have read before the result
 * was settled, null for any other. The `id` beside it has the time of the settling and so the place
 * in the lists. Both have the same random part, so a result that is written twice is refused as any.
 */
function givenResultIds(database: DatabaseSync): void {
  database.exec(`
    ALTER TABLE results ADD COLUMN given_id BLOB;
    CREATE UNIQUE INDEX given_result_ids ON results (check_key, given_id)
      WHERE given_id IS NOT NULL;
  `);
}

/**
 * Each is kept whole in `body`, as JSON, beside the columns that queries need.
 *
 * - `incidents.started_at` and `ended_at` (null while it is open) are of public dates, `head` is what lists
 *   of the past show, `automated` is 1 while automation looks after it, and `deleted_at` (epoch ms) is
 *   set where only the id is left.
 * - `subscriptions` has each address once for a page.
 * - `mailings.open` is 1 until one is done; confirmations are `urgent`; a `key` comes once.
 */
function incidentTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE incidents (
      id BLOB NOT NULL PRIMARY KEY,
      revision INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      automated INTEGER NOT NULL,
      deleted_at INTEGER,
      head TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX incidents_by_end ON incidents (ended_at, started_at) WHERE deleted_at IS NULL;
    CREATE INDEX automated_incidents ON incidents (id) WHERE automated = 1;
    CREATE INDEX deleted_incidents ON incidents (deleted_at) WHERE deleted_at IS NOT NULL;

    CREATE TABLE subscriptions (
      id BLOB NOT NULL PRIMARY KEY,
      page TEXT NOT NULL,
      address TEXT NOT NULL,
      verified INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX subscriptions_by_address ON subscriptions (page, address);
    CREATE INDEX pending_subscriptions ON subscriptions (id) WHERE verified = 0;

    CREATE TABLE mailings (
      id BLOB NOT NULL PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      open INTEGER NOT NULL,
      urgent INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX open_mailings ON mailings (id) WHERE open = 1;
  `);
}

/**
 * The results of a check and a period in columns: see packs.ts and result-pack.ts. `body` is null where a
 * result came after they were packed. The key holds the check and the period, in this order: reports read
 * many periods of one check.
 */
function packTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE packs (key INTEGER PRIMARY KEY, body BLOB) STRICT;
    CREATE INDEX emptied_packs ON packs (key) WHERE body IS NULL;
  `);
}

/** What remains of the results or events of a check and a day: see roll-ups.ts. The key is as that of packs. */
function rollUpTable(database: DatabaseSync): void {
  database.exec('CREATE TABLE roll_ups (key INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;');
}

/**
 * Failures with messages alike, of a check or (key 0) of test sessions: see error-group-writer.ts. `archived` is a place
 * in ERROR_GROUP_ARCHIVES. `test_results.error_group` is the id of the group that a failure is in.
 */
function errorGroupTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE error_groups (
      id BLOB NOT NULL PRIMARY KEY,
      check_key INTEGER NOT NULL,
      hash TEXT NOT NULL,
      raw TEXT NOT NULL,
      cleaned TEXT NOT NULL,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      archived INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX error_groups_of_check ON error_groups (check_key, last_seen);
    CREATE INDEX error_groups_by_time ON error_groups (last_seen) WHERE archived <> 2;

    ALTER TABLE test_results ADD COLUMN error_group BLOB;
    CREATE INDEX test_results_of_error_group ON test_results (session_id, error_group)
      WHERE error_group IS NOT NULL;
  `);
}

/**
 * What some results have beyond the columns of theirs, see metrics.ts: a column more would cost a byte of each
 * result of every type.
 */
function moreMetricsTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE more_metrics (
      check_key INTEGER NOT NULL,
      id BLOB NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (check_key, id)
    ) STRICT, WITHOUT ROWID;
  `);
}

/**
 * What results left, as files that are named by the hash of their content. `check_key` is 0 for results of test
 * sessions; `result_id` is the place of the result in the lists, which is `results.id`.
 */
function artifactTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE artifacts (
      id INTEGER PRIMARY KEY,
      check_key INTEGER NOT NULL,
      result_id BLOB NOT NULL,
      failing INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      type TEXT NOT NULL,
      name TEXT NOT NULL,
      hash BLOB NOT NULL,
      bytes INTEGER NOT NULL,
      content_type TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX artifacts_of_result ON artifacts (check_key, result_id, name);
    CREATE INDEX artifacts_by_hash ON artifacts (hash);
    CREATE INDEX artifacts_by_age ON artifacts (failing, id);
  `);
}

import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '#shared/analytics/day-sum.ts';
import { ARTIFACT_BYTES } from './artifact-rows.ts';
import { Meta } from './meta.ts';
import { packKey, readPackKey } from './packs.ts';
import type { Retention } from './retention.ts';
import { timeOfUuid } from './uuid.ts';

export const STORED_KINDS = [
  'results',
  'heartbeatEvents',
  'bodies',
  'rollUps',
  'artifacts',
  'other',
] as const;
export type StoredKind = (typeof STORED_KINDS)[number];

/** What one kind of history takes on the disk; of artifacts it is their contents, which are files. */
export interface KindUse {
  kind: StoredKind;
  bytes: number;
  /** How long it stays, and within how many bytes; null where it has no bound of its own. */
  days: number;
  maxBytes: number | null;
  /** The time of the oldest, epoch ms; null where there is none, or many sorts of it. */
  oldestAt: number | null;
}

/** The kind of each table; what is not named is `other`. */
const KIND_OF_TABLE: Readonly<Record<string, StoredKind>> = {
  results: 'results',
  more_metrics: 'results',
  packs: 'results',
  heartbeat_events: 'heartbeatEvents',
  passing_details: 'bodies',
  failing_details: 'bodies',
  test_details: 'bodies',
  roll_ups: 'rollUps',
};

/** The oldest id of every check. */
const oldestIds = (table: string) => `
  SELECT min((SELECT id FROM ${table} WHERE check_key = checks.key ORDER BY id LIMIT 1)) AS oldest
  FROM checks`;
const OLDEST_BODY = `
  SELECT min(at) AS oldest FROM (
    SELECT * FROM (SELECT at FROM passing_details ORDER BY id LIMIT 1) UNION ALL
    SELECT * FROM (SELECT at FROM failing_details ORDER BY id LIMIT 1) UNION ALL
    SELECT * FROM (SELECT at FROM test_details ORDER BY id LIMIT 1))`;
/** The least of the keys within each check, without the check. */
const OLDEST_ROLL_UP = `
  SELECT min((SELECT key % $width FROM roll_ups
    WHERE key >= checks.key * $width AND key < (checks.key + 1) * $width ORDER BY key LIMIT 1)) AS oldest
  FROM checks`;

/**
 * Measures what each kind of history takes. It reads a part of every page of the file, about a second for each
 * GiB: in a thread of its own, where nobody waits for anything else.
 */
export class StorageMeter {
  readonly #database: DatabaseSync;
  readonly #retention: Retention;

  constructor(database: DatabaseSync, retention: Retention) {
    this.#database = database;
    this.#retention = retention;
  }

  measure(): KindUse[] {
    const contents = new Meta(this.#database).read(ARTIFACT_BYTES) ?? 0;
    const bytes = this.#bytes().set('artifacts', contents);
    const { resultDays, heartbeatDays, detailDays, detailBytes, rollUpDays } = this.#retention;
    const { artifactDays, artifactBytes } = this.#retention;
    const kinds: Omit<KindUse, 'bytes'>[] = [
      { kind: 'results', days: resultDays, maxBytes: null, oldestAt: this.#oldestId('results') },
      {
        kind: 'heartbeatEvents',
        days: heartbeatDays,
        maxBytes: null,
        oldestAt: this.#oldestId('heartbeat_events'),
      },
      {
        kind: 'bodies',
        days: detailDays,
        maxBytes: detailBytes,
        oldestAt: this.#oldest(OLDEST_BODY),
      },
      { kind: 'rollUps', days: rollUpDays, maxBytes: null, oldestAt: this.#oldestRollUp() },
      {
        kind: 'artifacts',
        days: artifactDays,
        maxBytes: artifactBytes,
        oldestAt: this.#oldest('SELECT min(created_at) AS oldest FROM artifacts'),
      },
      { kind: 'other', days: resultDays, maxBytes: null, oldestAt: null },
    ];
    return kinds.map((one) => ({ ...one, bytes: bytes.get(one.kind) ?? 0 }));
  }

  /** A table counts with its indexes. */
  #bytes(): Map<StoredKind, number> {
    const rows = this.#database
      .prepare(
        `SELECT coalesce(s.tbl_name, d.name) AS name, d.pgsize AS bytes
         FROM dbstat d LEFT JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE`,
      )
      .all();
    const total = new Map<StoredKind, number>();
    for (const { name, bytes } of rows) {
      const kind = KIND_OF_TABLE[String(name)] ?? 'other';
      total.set(kind, (total.get(kind) ?? 0) + Number(bytes));
    }
    return total;
  }

  #oldestId(table: 'results' | 'heartbeat_events'): number | null {
    const oldest = this.#database.prepare(oldestIds(table)).get()?.oldest ?? null;
    return oldest === null ? null : timeOfUuid(oldest as Uint8Array);
  }

  #oldestRollUp(): number | null {
    const day = this.#oldest(OLDEST_ROLL_UP, { width: packKey(1, 0) });
    return day === null ? null : readPackKey(day).period * DAY_MS;
  }

  #oldest(sql: string, values: Record<string, number> = {}): number | null {
    const oldest = this.#database.prepare(sql).get(values)?.oldest ?? null;
    return oldest === null ? null : Number(oldest);
  }

  close(): void {
    this.#database.close();
  }
}

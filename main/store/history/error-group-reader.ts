import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ERROR_GROUP_ARCHIVES, type StoredErrorGroup } from '#shared/error-groups/error-group.ts';
import { FOR_EVER, TEST_SESSIONS_KEY } from './error-group-writer.ts';
import type { ErrorGroupQuery } from './history.ts';
import { formatUuid, parseUuid } from './uuid.ts';

/** Test sessions have no check, and groups of a check that is being forgotten are not seen. */
const GROUPS = `
  FROM error_groups g LEFT JOIN checks c ON c.key = g.check_key
  WHERE (g.check_key = ${TEST_SESSIONS_KEY} OR c.forgotten_at IS NULL)`;

const COLUMNS = `g.id, c.id AS checkId, g.hash AS errorHash, g.raw AS rawErrorMessage,
  g.cleaned AS cleanedErrorMessage, g.first_seen AS firstSeen, g.last_seen AS lastSeen, g.archived`;

/** The groups that a list has, by what it is of: the index by time has no group that is archived for ever. */
const LISTED = {
  checks: `AND g.archived <> ${FOR_EVER} AND g.archived = 0 AND g.check_key <> ${TEST_SESSIONS_KEY}`,
  check: 'AND g.archived = 0 AND g.check_key = (SELECT key FROM checks WHERE id = $check)',
  testSessions: `AND g.archived = 0 AND g.check_key = ${TEST_SESSIONS_KEY}`,
} as const;
type ListKind = keyof typeof LISTED;

/** Answers what is asked of groups of failures. */
export class ErrorGroupReader {
  readonly #lists: Record<ListKind, StatementSync>;
  readonly #counts: Record<ListKind, StatementSync>;
  readonly #group: StatementSync;

  constructor(database: DatabaseSync) {
    const list = (kind: ListKind) =>
      database.prepare(
        `SELECT ${COLUMNS} ${GROUPS} ${LISTED[kind]}
         ORDER BY g.last_seen DESC, g.id DESC LIMIT $limit OFFSET $offset`,
      );
    const count = (kind: ListKind) =>
      database.prepare(`SELECT count(*) AS count ${GROUPS} ${LISTED[kind]}`);
    this.#lists = {
      checks: list('checks'),
      check: list('check'),
      testSessions: list('testSessions'),
    };
    this.#counts = {
      checks: count('checks'),
      check: count('check'),
      testSessions: count('testSessions'),
    };
    this.#group = database.prepare(`SELECT ${COLUMNS} ${GROUPS} AND g.id = ?`);
  }

  /** The last seen first. */
  listErrorGroups({ of, checkId, limit, offset }: ErrorGroupQuery): {
    groups: StoredErrorGroup[];
    total: number;
  } {
    const kind = checkId === undefined ? of : 'check';
    const check: Record<string, string> = checkId === undefined ? {} : { check: checkId };
    const rows = this.#lists[kind].all({ ...check, limit, offset });
    const total = Number(this.#counts[kind].get(check)?.count);
    return { groups: rows.map(readGroup), total };
  }

  findErrorGroup(id: string): StoredErrorGroup | null {
    const row = this.#group.get(parseUuid(id));
    return row ? readGroup(row) : null;
  }
}

function readGroup({ id, archived, ...row }: Record<string, unknown>): StoredErrorGroup {
  return {
    ...(row as Omit<StoredErrorGroup, 'id' | 'archived'>),
    id: formatUuid(id as Uint8Array),
    archived: ERROR_GROUP_ARCHIVES[Number(archived)] ?? 'none',
  };
}

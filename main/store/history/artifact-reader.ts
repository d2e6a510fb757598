import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ArtifactType, ResultAddress, RunArtifact } from '#shared/artifacts/artifact.ts';
import { type ArtifactOwner, OF_TEST_SESSIONS } from './artifact-rows.ts';
import type { ArtifactMoment } from './history.ts';
import { firstUuidAt, parseUuid } from './uuid.ts';

const SELECT = 'SELECT type, name, hash, bytes, content_type FROM artifacts';

interface ArtifactRow {
  type: ArtifactType;
  name: string;
  hash: Uint8Array;
  bytes: number;
  content_type: string;
}

/** Answers what results left. */
export class ArtifactReader {
  readonly #ownerOfResult: StatementSync;
  readonly #ownerOfTestResult: StatementSync;
  readonly #ownerAt: StatementSync;
  readonly #list: StatementSync;
  readonly #find: StatementSync;
  readonly #names: StatementSync;
  readonly #unnamed: StatementSync;

  constructor(database: DatabaseSync) {
    // Either condition alone, so that each finds its index.
    this.#ownerOfResult = database.prepare(
      `SELECT r.check_key, r.id FROM results r JOIN checks c ON c.key = r.check_key
       WHERE c.id = $check AND c.forgotten_at IS NULL AND r.id = $result AND r.given_id IS NULL
       UNION ALL
       SELECT r.check_key, r.id FROM results r JOIN checks c ON c.key = r.check_key
       WHERE c.id = $check AND c.forgotten_at IS NULL AND r.given_id = $result`,
    );
    this.#ownerOfTestResult = database.prepare(
      `SELECT ${OF_TEST_SESSIONS} AS check_key, result_id AS id FROM test_results
       WHERE session_id = $session AND result_id = $result`,
    );
    this.#ownerAt = database.prepare(
      `SELECT r.check_key, r.id FROM results r JOIN checks c ON c.key = r.check_key
       WHERE c.id = $check AND c.forgotten_at IS NULL AND r.id >= $from AND r.id < $to
         AND r.location = (SELECT key FROM words WHERE word = $location)`,
    );
    this.#list = database.prepare(`${SELECT} WHERE check_key = ? AND result_id = ? ORDER BY id`);
    this.#find = database.prepare(`${SELECT} WHERE check_key = ? AND result_id = ? AND name = ?`);
    this.#names = database.prepare(
      'SELECT name FROM artifacts WHERE check_key = ? AND result_id = ?',
    );
    this.#unnamed = database.prepare(
      `SELECT value FROM json_each(?) WHERE NOT EXISTS (
         SELECT 1 FROM artifacts WHERE hash = unhex(value))`,
    );
  }

  listArtifacts(of: ResultAddress): RunArtifact[] | null {
    const owner = this.#ownerOf(of);
    if (owner === null) return null;
    return this.#list.all(owner.checkKey, owner.resultId).map(readArtifact);
  }

  findArtifact({ name, ...of }: ResultAddress & { name: string }): RunArtifact | null {
    return this.#findOf(this.#ownerOf(of), name);
  }

  findArtifactAt({ checkId, location, createdAt, name }: ArtifactMoment): RunArtifact | null {
    const [from, to] = [firstUuidAt(createdAt), firstUuidAt(createdAt + 1)];
    const owner = this.#ownerAt.get({ check: checkId, location, from, to });
    return this.#findOf(readOwner(owner), name);
  }

  /** The names of what a result left. */
  namesOf({ checkKey, resultId }: ArtifactOwner): string[] {
    return this.#names.all(checkKey, resultId).map(({ name }) => String(name));
  }

  listUnnamed(hashes: readonly string[]): string[] {
    return this.#unnamed.all(JSON.stringify(hashes)).map(({ value }) => String(value));
  }

  #ownerOf(of: ResultAddress): ArtifactOwner | null {
    const result = parseUuid(of.resultId);
    if ('checkId' in of) return readOwner(this.#ownerOfResult.get({ check: of.checkId, result }));
    const session = parseUuid(of.sessionId);
    return readOwner(this.#ownerOfTestResult.get({ session, result }));
  }

  #findOf(owner: ArtifactOwner | null, name: string): RunArtifact | null {
    const row = owner && this.#find.get(owner.checkKey, owner.resultId, name);
    return row ? readArtifact(row) : null;
  }
}

function readOwner(row: Record<string, unknown> | undefined): ArtifactOwner | null {
  return row ? { checkKey: Number(row.check_key), resultId: row.id as Uint8Array } : null;
}

function readArtifact(row: Record<string, unknown>): RunArtifact {
  const { type, name, hash, bytes, content_type } = row as unknown as ArtifactRow;
  const sha256 = Buffer.from(hash).toString('hex');
  return { type, name, sha256, bytes, contentType: content_type };
}

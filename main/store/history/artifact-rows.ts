import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MAX_RUN_ARTIFACTS, type RunArtifact } from '#shared/artifacts/artifact.ts';
import type { ResultFlags } from '#shared/runs/protocol.ts';
import { Meta } from './meta.ts';

/** Stands for a check in the rows of results of test sessions, whose ids are unique by themselves. */
export const OF_TEST_SESSIONS = 0;

/** Bytes of all contents that rows name, each counted once. */
export const ARTIFACT_BYTES = 'artifact_bytes';

/** The result that artifacts are of: its check, or {@link OF_TEST_SESSIONS}, and its place in the lists. */
export interface ArtifactOwner {
  checkKey: number;
  resultId: Uint8Array;
}

/** What room is made in first. */
export const ARTIFACT_KINDS = ['passing', 'failing'] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

/**
 * The artifacts that results name. Their contents are files; one that no row names any more is removed by
 * whoever looks after the files. The running total of bytes changes in the transaction that changes the rows.
 */
export class ArtifactRows {
  #bytes = 0;
  #savedBytes = 0;
  readonly #meta: Meta;
  readonly #insert: StatementSync;
  readonly #isNamed: StatementSync;
  readonly #deleteOf: StatementSync;
  readonly #deleteUpTo: StatementSync;
  readonly #oldest: StatementSync;

  constructor(database: DatabaseSync) {
    this.#meta = new Meta(database);
    this.#insert = database.prepare(
      `INSERT INTO artifacts
         (check_key, result_id, failing, created_at, type, name, hash, bytes, content_type)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#isNamed = database.prepare('SELECT 1 FROM artifacts WHERE hash = ? LIMIT 1');
    this.#deleteOf = database.prepare(
      'DELETE FROM artifacts WHERE check_key = ? AND result_id = ? RETURNING hash, bytes',
    );
    this.#deleteUpTo = database.prepare(
      `DELETE FROM artifacts WHERE id IN (
         SELECT id FROM artifacts WHERE check_key = ? AND result_id <= ? LIMIT ?)
       RETURNING hash, bytes`,
    );
    this.#oldest = database.prepare(
      `SELECT check_key, result_id, created_at FROM artifacts
       WHERE failing = ? ORDER BY id LIMIT 1`,
    );
    this.reloadTotal();
  }

  get totalBytes(): number {
    return this.#bytes;
  }

  /** @param atMs when the result was settled */
  add(
    { checkKey, resultId }: ArtifactOwner,
    result: Pick<ResultFlags, 'hasFailures' | 'hasErrors' | 'isDegraded'>,
    atMs: number,
    artifacts: readonly RunArtifact[],
  ): void {
    const failing = Number(result.hasFailures || result.hasErrors || result.isDegraded);
    for (const { type, name, sha256, bytes, contentType } of artifacts.slice(
      0,
      MAX_RUN_ARTIFACTS,
    )) {
      const hash = Buffer.from(sha256, 'hex');
      if (!this.#isNamed.get(hash)) this.#bytes += bytes;
      this.#insert.run(checkKey, resultId, failing, atMs, type, name, hash, bytes, contentType);
    }
  }

  removeOf({ checkKey, resultId }: ArtifactOwner): number {
    return this.#removed(this.#deleteOf.all(checkKey, resultId));
  }

  /** At most `limit` of a check's results up to one, itself included. */
  removeUpTo({ checkKey, resultId }: ArtifactOwner, limit: number): number {
    return this.#removed(this.#deleteUpTo.all(checkKey, resultId, limit));
  }

  /**
   * Removes the oldest of a kind while `due` holds, all of a result at once: half of a report is none.
   * Answers how many, which may be more than `limit` by those of one result.
   */
  removeOldest(kind: ArtifactKind, limit: number, due: (atMs: number) => boolean): number {
    let removed = 0;
    while (removed < limit) {
      const oldest = this.#oldest.get(Number(kind === 'failing'));
      if (!oldest || !due(Number(oldest.created_at))) break;
      const resultId = oldest.result_id as Uint8Array;
      removed += this.removeOf({ checkKey: Number(oldest.check_key), resultId });
    }
    return removed;
  }

  /** To be called before a transaction commits. */
  saveTotal(): void {
    if (this.#bytes === this.#savedBytes) return;
    this.#meta.write(ARTIFACT_BYTES, this.#bytes);
    this.#savedBytes = this.#bytes;
  }

  /** To be called after a transaction was rolled back. */
  reloadTotal(): void {
    this.#bytes = this.#meta.read(ARTIFACT_BYTES) ?? 0;
    this.#savedBytes = this.#bytes;
  }

  /** A content that another row names counts on. */
  #removed(rows: readonly Record<string, unknown>[]): number {
    const contents = new Map(
      rows.map(({ hash, bytes }) => [Buffer.from(hash as Uint8Array).toString('hex'), bytes]),
    );
    for (const [hash, bytes] of contents) {
      if (!this.#isNamed.get(Buffer.from(hash, 'hex'))) this.#bytes -= Number(bytes);
    }
    return rows.length;
  }
}

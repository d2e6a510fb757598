import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { packBody } from './body-text.ts';
import { Meta } from './meta.ts';

/**
 * The tables of bodies, in the order in which room is made in them: those of passing runs, of test
 * sessions, and of all other runs.
 */
export const BODY_KINDS = ['passing', 'test', 'failing'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/**
 * The bodies of runs, with a running total of their bytes: counting them anew would read all of
 * them. The total stands in the database and changes in the transaction that changes the bodies.
 */
export class Bodies {
  readonly #tables: Record<BodyKind, BodyTable>;

  constructor(database: DatabaseSync) {
    this.#tables = {
      passing: new BodyTable(database, 'passing'),
      test: new BodyTable(database, 'test'),
      failing: new BodyTable(database, 'failing'),
    };
  }

  /** Bytes of all bodies, as stored. */
  get totalBytes(): number {
    return BODY_KINDS.reduce((total, kind) => total + this.#tables[kind].bytes, 0);
  }

  /** Keeps a body, and answers its id in its table; null where it is too large. */
  add(kind: BodyKind, atMs: number, text: string): number | null {
    return this.#tables[kind].add(atMs, text);
  }

  remove(kind: BodyKind, id: number): void {
    this.#tables[kind].remove(id);
  }

  /** Removes the oldest bodies of a kind, at most `limit`, while `due` holds; answers how many. */
  removeOldest(kind: BodyKind, limit: number, due: (atMs: number) => boolean): number {
    return this.#tables[kind].removeOldest(limit, due);
  }

  /** To be called before a transaction commits. */
  saveTotals(): void {
    for (const kind of BODY_KINDS) this.#tables[kind].saveTotal();
  }

  /** To be called after a transaction was rolled back. */
  reloadTotals(): void {
    for (const kind of BODY_KINDS) this.#tables[kind].reloadTotal();
  }
}

class BodyTable {
  bytes = 0;
  #savedBytes = 0;
  readonly #totalName: string;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #oldest: StatementSync;
  readonly #meta: Meta;

  constructor(database: DatabaseSync, kind: BodyKind) {
    this.#meta = new Meta(database);
    const table = `${kind}_details`;
    this.#totalName = `${kind}_detail_bytes`;
    this.#insert = database.prepare(`INSERT INTO ${table} (at, body) VALUES (?, ?)`);
    this.#delete = database.prepare(
      `DELETE FROM ${table} WHERE id = ? RETURNING octet_length(body) AS bytes`,
    );
    this.#oldest = database.prepare(`SELECT id, at FROM ${table} ORDER BY id LIMIT ?`);
    this.reloadTotal();
  }

  add(atMs: number, text: string): number | null {
    const packed = packBody(text);
    if (!packed) return null;
    this.bytes += packed.bytes;
    return Number(this.#insert.run(atMs, packed.body).lastInsertRowid);
  }

  remove(id: number): void {
    this.bytes -= Number(this.#delete.get(id)?.bytes ?? 0);
  }

  removeOldest(limit: number, due: (atMs: number) => boolean): number {
    let removed = 0;
    for (const { id, at } of this.#oldest.all(limit)) {
      if (!due(Number(at))) break;
      this.remove(Number(id));
      removed += 1;
    }
    return removed;
  }

  saveTotal(): void {
    if (this.bytes === this.#savedBytes) return;
    this.#meta.write(this.#totalName, this.bytes);
    this.#savedBytes = this.bytes;
  }

  reloadTotal(): void {
    this.bytes = this.#meta.read(this.#totalName) ?? 0;
    this.#savedBytes = this.bytes;
  }
}

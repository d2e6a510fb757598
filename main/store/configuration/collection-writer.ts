import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Adapter, Low } from 'lowdb';
import { z } from 'zod';
import { fileStoreError, StoreError } from '../store-error.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import type { Envelope } from './envelope.ts';

/** A record of any collection, as it passes between the threads. */
export type AnyRecord = { id: string };

/** One change that somebody asked for. */
export type ChangeRequest = { put: AnyRecord } | { delete: string };

interface Waiting<T> {
  change: { put: T } | { delete: string };
  resolve(changed: boolean): void;
  reject(error: StoreError): void;
}

/**
 * Keeps the records of one collection, in its file and in memory. Changes that come while the file
 * is being written wait and go into the next write together; each is answered after the write that
 * holds it. Where a write fails, its changes are rejected and memory stays as the file is, so later
 * changes are none the worse.
 */
export class CollectionWriter<T extends { id: string }> {
  readonly #kind: CollectionKind<T>;
  readonly #low: Low<Envelope<T>>;
  #waiting: Waiting<T>[] = [];
  #writing: Promise<void> | null = null;

  /** @param file reads and writes all of the records */
  constructor(kind: CollectionKind<T>, file: Adapter<Envelope<T>>) {
    this.#kind = kind;
    this.#low = new Low<Envelope<T>>(file, { version: currentVersion(kind), records: [] });
  }

  /**
   * Reads the file.
   * @throws StartupError where it cannot be used
   */
  async open(): Promise<readonly T[]> {
    await this.#low.read();
    return this.#low.data.records;
  }

  /**
   * Makes a change, and answers once it is kept whether there was anything to change.
   * @throws StoreError where it cannot be kept; nothing has changed then
   */
  async change(request: ChangeRequest): Promise<boolean> {
    const change = 'put' in request ? { put: this.#asRead(request.put) } : request;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      this.#writing ??= this.#writeWaiting();
    });
  }

  /** Resolves once nothing waits and nothing is being written. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  /** The record as the next start will read it: what that start would refuse is refused now. */
  #asRead(record: unknown): T {
    const read = this.#kind.record.safeParse(JSON.parse(JSON.stringify(record)));
    if (read.success) return read.data;
    const problems = z.prettifyError(read.error).replaceAll(/\s+/g, ' ');
    throw new StoreError('INVALID', `${this.#kind.file} cannot hold this: ${problems}`);
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whatever came in the same turn shares the write.
      await nextTurn();
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch);
    }
    this.#writing = null;
  }

  async #write(batch: readonly Waiting<T>[]): Promise<void> {
    const before = this.#low.data;
    const records = new Map(before.records.map((record) => [record.id, record]));
    const changed = batch.map(({ change }) => apply(records, change));
    try {
      if (changed.includes(true)) {
        this.#low.data = { version: before.version, records: [...records.values()] };
        await this.#low.write();
      }
      for (const [index, { resolve }] of batch.entries()) resolve(changed[index] === true);
    } catch (error) {
      this.#low.data = before;
      for (const { reject } of batch) reject(fileStoreError(error));
    }
  }
}

function apply<T extends { id: string }>(
  records: Map<string, T>,
  change: { put: T } | { delete: string },
): boolean {
  if ('delete' in change) return records.delete(change.delete);
  records.set(change.put.id, change.put);
  return true;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Adapter, Low } from 'lowdb';
import { z } from 'zod';
import { fileStoreError, StoreError } from '../store-error.ts';
import type { CollectionFile, RecordChange } from './collection-file.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import type { Envelope } from './envelope.ts';

/** A record of any collection, as it passes between the threads. */
export type AnyRecord = { id: string };

/** One change that somebody asked for. */
export type ChangeRequest = RecordChange<AnyRecord>;

/** What a writer needs of a {@link CollectionFile}. */
export type WrittenFile<T extends { id: string }> = Adapter<Envelope<T>> &
  Pick<
    CollectionFile<T>,
    'stream' | 'textOf' | 'append' | 'fold' | 'bytes' | 'journalBytes' | 'close'
  >;

/** Whoever gets the records of a collection at the start. */
export interface RecordTaker<T> {
  take(record: T): void;
  /** What was taken so far is void. */
  restart(): void;
}

interface Waiting {
  text: string;
  resolve(): void;
  reject(error: StoreError): void;
}

/** Says to the log that changes could not be folded, and why. */
type NotifyFoldFailure = (problem: string) => void;

/** Most characters of the changes that go to the disk together, but for a single larger one. */
const MAX_TOGETHER = 4 * 1_024 ** 2;

/** A journal as large as its file is folded, so that in all a change is written twice; within these bounds. */
const LEAST_FOLD_BYTES = 1_024 ** 2;
const MOST_FOLD_BYTES = 32 * 1_024 ** 2;

/** How long nothing changes before the journal is folded. */
const IDLE_MS = 10_000;
/** And so much longer for each MiB of the file, whose folding takes a hundredth of it. */
const IDLE_MS_PER_MIB = 1_000;

/**
 * Keeps the changes of one collection. Changes that come while others go to the disk wait and go together; each is
 * answered once it is there. Where that fails they are rejected, and later changes are none the worse.
 */
export class CollectionWriter<T extends { id: string }> {
  readonly #kind: CollectionKind<T>;
  readonly #file: WrittenFile<T>;
  readonly #notify: NotifyFoldFailure;
  readonly #idleMs: number;
  #waiting: Waiting[] = [];
  #appending: Promise<void> | null = null;
  #folding: Promise<void> | null = null;
  #foldAtBytes = LEAST_FOLD_BYTES;
  /** Of the last fold, which the log has been told; null where it went well. */
  #problem: string | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    kind: CollectionKind<T>,
    file: WrittenFile<T>,
    notify: NotifyFoldFailure,
    idleMs = IDLE_MS,
  ) {
    this.#kind = kind;
    this.#file = file;
    this.#notify = notify;
    this.#idleMs = idleMs;
  }

  /**
   * Reads the file and its journal, and hands over the records.
   * @throws StartupError where they cannot be used
   */
  async open(taker: RecordTaker<T>): Promise<void> {
    if (!(await this.#file.stream((record) => taker.take(record)))) {
      taker.restart();
      for (const record of await this.#readWhole()) taker.take(record);
    }
    this.#planFold();
  }

  async #readWhole(): Promise<readonly T[]> {
    const low = new Low<Envelope<T>>(this.#file, {
      version: currentVersion(this.#kind),
      records: [],
    });
    await low.read();
    return low.data.records;
  }

  /**
   * Makes a change, and answers once it is kept.
   * @throws StoreError where it cannot be kept; nothing has changed then
   */
  async change(request: ChangeRequest): Promise<void> {
    const change = 'put' in request ? { put: this.#asRead(request.put) } : request;
    const text = this.#file.textOf(change);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      this.#appending ??= this.#appendWaiting();
    });
  }

  /** Resolves once nothing waits, and the journal is folded or cannot be. */
  async settle(): Promise<void> {
    await this.#appending;
    clearTimeout(this.#idle);
    await this.#folding;
    await this.#fold();
    clearTimeout(this.#idle);
    await this.#file.close();
  }

  /** Whether nothing waits or is written, and the file has all changes. */
  get isSettled(): boolean {
    return !this.#appending && !this.#folding && this.#file.journalBytes === 0;
  }

  /** The record as the next start will read it: what that start would refuse is refused now. */
  #asRead(record: unknown): T {
    const read = this.#kind.record.safeParse(JSON.parse(JSON.stringify(record)));
    if (read.success) return read.data;
    const problems = z.prettifyError(read.error).replaceAll(/\s+/g, ' ');
    throw new StoreError('INVALID', `${this.#kind.file} cannot hold this: ${problems}`);
  }

  async #appendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whatever came in the same turn goes together.
      await nextTurn();
      await this.#append(this.#takeTogether());
      if (this.#file.journalBytes >= this.#foldAtBytes) this.#folding ??= this.#fold();
    }
    this.#appending = null;
    this.#planFold();
  }

  #takeTogether(): Waiting[] {
    let chars = 0;
    const end = this.#waiting.findIndex(({ text }) => {
      chars += text.length;
      return chars > MAX_TOGETHER;
    });
    return this.#waiting.splice(0, end === -1 ? Number.POSITIVE_INFINITY : Math.max(1, end));
  }

  async #append(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#file.append(batch.map(({ text }) => text));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(fileStoreError(error));
    }
  }

  /** Where it fails, the journal grows by as much again before the next try, or nothing changes for a while. */
  async #fold(): Promise<void> {
    try {
      await this.#file.fold();
      this.#problem = null;
    } catch (error) {
      this.#notifyOnce((error as Error).message);
    }
    const { bytes, journalBytes } = this.#file;
    this.#foldAtBytes = journalBytes + Math.max(LEAST_FOLD_BYTES, Math.min(bytes, MOST_FOLD_BYTES));
    this.#folding = null;
    this.#planFold();
  }

  #notifyOnce(problem: string): void {
    if (problem !== this.#problem) this.#notify(problem);
    this.#problem = problem;
  }

  /** Once nothing changes for a while. */
  #planFold(): void {
    clearTimeout(this.#idle);
    if (this.#file.journalBytes === 0) return;
    const idleMs = this.#idleMs + (IDLE_MS_PER_MIB * this.#file.bytes) / 1_024 ** 2;
    this.#idle = setTimeout(() => {
      if (this.#appending === null) this.#folding ??= this.#fold();
    }, idleMs).unref();
  }
}

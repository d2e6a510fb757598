import type { Clock } from '#shared/clock.ts';
import type { Log } from '../log.ts';
import { StoreError } from '../store/store-error.ts';
import { WaitList } from './wait-list.ts';

/** Whether a version of a record is kept. Where it is not, it may be later: see LatestKeeper. */
export type Kept = { kept: true } | { kept: false; error: unknown };

/** The versions of one record. */
interface Line<T> {
  /** The newest version that is not written yet. */
  newest: T | undefined;
  /** Told of the next write. */
  told: ((outcome: Kept) => void)[];
}

interface KeeperParts<T> {
  write(record: T): Promise<void>;
  clock: Clock;
  log: Log;
}

const RETRY_MS = 1_000;
/** Half an hour: a disk that is full for that long needs a person. */
const MAX_TRIES = 1_800;

/**
 * Keeps the newest version of records: at most one write of each is under way, and of the versions
 * that come meanwhile only the newest is written next. A write that fails is tried again for a while.
 */
export class LatestKeeper<T extends { id: string }> {
  readonly #parts: KeeperParts<T>;
  readonly #lines = new Map<string, Line<T>>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #rests: WaitList;
  #closed = false;

  constructor(parts: KeeperParts<T>) {
    this.#parts = parts;
    this.#rests = new WaitList(parts.clock);
  }

  /** Resolves once this version, or a newer one, was written or could not be. Never rejects. */
  keep(record: T): Promise<Kept> {
    const { promise, resolve } = Promise.withResolvers<Kept>();
    const line = this.#lines.get(record.id);
    if (line) {
      line.newest = record;
      line.told.push(resolve);
    } else {
      this.#begin(record.id, { newest: record, told: [resolve] });
    }
    return promise;
  }

  /** Drops the version that waits: a newer one is kept elsewhere. */
  supersede(id: string): void {
    const line = this.#lines.get(id);
    if (line) line.newest = undefined;
  }

  /** Makes no further try, and resolves once the writes under way are over. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#rests.close();
    await Promise.all(this.#underWay);
  }

  #begin(id: string, line: Line<T>): void {
    this.#lines.set(id, line);
    const writing = this.#writeAll(id, line).finally(() => this.#underWay.delete(writing));
    this.#underWay.add(writing);
  }

  async #writeAll(id: string, line: Line<T>): Promise<void> {
    let outcome: Kept = { kept: true };
    for (let failures = 0; line.newest && failures < MAX_TRIES && !this.#closed; ) {
      const { newest, told } = line;
      line.told = [];
      outcome = await this.#write(newest);
      for (const tell of told) tell(outcome);
      // Only now: a version that is superseded while it is written is not tried again.
      if (line.newest === newest && !mayYetBeKept(outcome)) line.newest = undefined;
      failures = outcome.kept ? 0 : failures + 1;
      if (!outcome.kept && line.newest) await this.#rests.wait(id, RETRY_MS);
    }
    this.#lines.delete(id);
    for (const tell of line.told) tell(outcome);
  }

  async #write(record: T): Promise<Kept> {
    try {
      await this.#parts.write(record);
      return { kept: true };
    } catch (error) {
      // A store that fails is nobody's fault here: it is said, and the caller decides.
      this.#parts.log.error({ err: error, id: record.id }, 'A record could not be kept.');
      return { kept: false, error };
    }
  }
}

function mayYetBeKept(outcome: Kept): boolean {
  if (outcome.kept) return false;
  return !(outcome.error instanceof StoreError && outcome.error.code === 'INVALID');
}

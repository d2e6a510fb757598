import { inSlices } from '#main/platform/in-slices.ts';
import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import { Backlog } from '../backlog.ts';
import { isRefused, StoreError } from '../store-error.ts';

/** Whether a version of a record is kept. Where it is not, it may be later: see LatestKeeper. */
export type Kept = { kept: true } | { kept: false; error: unknown };

/** The versions of one record. */
interface Line<T> {
  /** The newest version that is not written yet. */
  newest: T | undefined;
  /** Told of the next write. */
  told: ((outcome: Kept) => void)[];
  /** The round since which no version was kept. */
  since: number;
}

interface KeeperParts<T> {
  write(record: T): Promise<void>;
  clock: Clock;
  log: Log;
}

const RETRY_MS = 1_000;
/** Half an hour: a disk that is full for that long needs a person. */
const MAX_ROUNDS = 1_800;
const DRAINED_AT_ONCE = 100;

/**
 * Keeps the newest version of records: at most one write of each is under way, and of the versions
 * that come meanwhile only the newest is written next. A record whose write fails waits with the
 * others for the store: each second one of them is tried again, and once it is kept, all are.
 */
export class LatestWriter<T extends { id: string }> {
  readonly #parts: KeeperParts<T>;
  readonly #writing = new Map<string, Line<T>>();
  /** Those whose last write failed, in the order in which they are tried again. */
  readonly #waiting = new Backlog<string, Line<T>>();
  readonly #underWay = new Set<Promise<unknown>>();
  #retry: unknown;
  /** Counted and not read from the clock, which jumps. */
  #round = 0;
  #isFailing = false;
  #lost = 0;
  #closed = false;

  constructor(parts: KeeperParts<T>) {
    this.#parts = parts;
  }

  /** Resolves once this version, or a newer one, was written or could not be. Never rejects. */
  keep(record: T): Promise<Kept> {
    const { promise, resolve } = Promise.withResolvers<Kept>();
    if (this.#closed) {
      resolve({ kept: false, error: new StoreError('CLOSED', 'The appliance is stopping.') });
      return promise;
    }
    const { id } = record;
    const writing = this.#writing.get(id);
    const line = writing ?? this.#waiting.get(id) ?? this.#newLine();
    line.newest = record;
    line.told.push(resolve);
    if (!writing) void this.#begin(id, line);
    return promise;
  }

  /** Drops the version that waits: a newer one is kept elsewhere. */
  supersede(id: string): void {
    this.#waiting.delete(id);
    const line = this.#writing.get(id);
    if (line) line.newest = undefined;
  }

  /** Tries nothing again. Resolves once what is being written, and what waits for that, is over. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#parts.clock.clearTimeout(this.#retry);
    await Promise.all(this.#underWay);
  }

  /** Resolves with whether the newest version is kept. */
  #begin(id: string, line: Line<T>): Promise<boolean> {
    this.#waiting.delete(id);
    this.#writing.set(id, line);
    const writing = this.#writeAll(id, line).finally(() => this.#underWay.delete(writing));
    this.#underWay.add(writing);
    return writing;
  }

  #newLine(): Line<T> {
    return { newest: undefined, told: [], since: this.#round };
  }

  /** Tries each version at most once, also while the keeper closes: whoever waits for it is told. */
  async #writeAll(id: string, line: Line<T>): Promise<boolean> {
    let outcome: Kept = { kept: true };
    for (let tried: T | undefined; line.newest && line.newest !== tried; ) {
      tried = line.newest;
      const { told } = line;
      line.told = [];
      outcome = await this.#write(tried);
      for (const tell of told) tell(outcome);
      if (outcome.kept) line.since = this.#round;
      // Only now: a version that is superseded while it is written is not tried again.
      if (line.newest === tried && !mayYetBeKept(outcome)) line.newest = undefined;
    }
    this.#writing.delete(id);
    // They came for a version that was superseded.
    for (const tell of line.told) tell(outcome);
    if (line.newest) this.#wait(id, line);
    if (outcome.kept) this.#tellRecovery();
    return outcome.kept;
  }

  async #write(record: T): Promise<Kept> {
    try {
      await this.#parts.write(record);
      return { kept: true };
    } catch (error) {
      this.#tellFailure(record.id, error);
      return { kept: false, error };
    }
  }

  /** Goes behind the others, for it may be alone in failing, and nobody waits for that. */
  #wait(id: string, line: Line<T>): void {
    if (this.#closed) return;
    this.#lost += this.#waiting.add(id, line, line.newest ?? {});
    this.#planRound();
  }

  #planRound(): void {
    if (this.#closed || this.#waiting.size === 0) return;
    this.#retry ??= this.#parts.clock.setTimeout(() => void this.#tryAgain(), RETRY_MS);
  }

  async #tryAgain(): Promise<void> {
    this.#round++;
    this.#giveUpOld();
    const [next] = this.#waiting.first(1);
    if (next && (await this.#begin(...next))) await this.#drain();
    this.#retry = undefined;
    this.#planRound();
  }

  #giveUpOld(): void {
    const before = this.#lost;
    for (const [id, { since }] of this.#waiting.first()) {
      if (this.#round - since >= MAX_ROUNDS && this.#waiting.delete(id)) this.#lost++;
    }
    const given = this.#lost - before;
    if (given > 0) this.#parts.log.error({ records: given }, 'Records that waited are given up.');
  }

  /** Tries all that wait, as long as any of a slice is kept. */
  async #drain(): Promise<void> {
    for await (const slice of inSlices(this.#waiting.first(), DRAINED_AT_ONCE)) {
      if (this.#closed) return;
      // Others were superseded meanwhile, or are being written with a newer version.
      const left = slice.filter(([id, line]) => this.#waiting.get(id) === line);
      const kept = await Promise.all(left.map(([id, line]) => this.#begin(id, line)));
      if (kept.length > 0 && !kept.includes(true)) return;
    }
  }

  /** A store that fails is nobody's fault here: it is said, once, and the caller decides. */
  #tellFailure(id: string, error: unknown): void {
    const { log } = this.#parts;
    if (isRefused(error)) {
      log.error({ err: error, id }, 'The store refused a record; it is not kept.');
    } else if (!this.#isFailing) {
      this.#isFailing = true;
      log.error({ err: error, id }, 'The store failed; records wait in memory.');
    }
  }

  #tellRecovery(): void {
    if (!this.#isFailing || this.#waiting.size > 0) return;
    this.#parts.log.info({ lost: this.#lost }, 'The store keeps records again.');
    this.#isFailing = false;
    this.#lost = 0;
  }
}

function mayYetBeKept(outcome: Kept): boolean {
  return !outcome.kept && !isRefused(outcome.error);
}

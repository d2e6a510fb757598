import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#main/platform/log.ts';
import { PassingMap } from '#main/platform/passing-map.ts';

import type { Clock } from '#shared/clock.ts';
import { isRefused, StoreError } from '../store-error.ts';
import { Backlog } from './backlog.ts';

/** Whether a try wrote. Where it did not, a later one may: see {@link RetryingWriter}. */
export type Kept = { kept: true } | { kept: false; error: unknown };

/** A write as its caller sees it. Neither promise rejects. */
export interface Writing {
  /** What became of the first try of this version, or of a newer one. */
  tried: Promise<Kept>;
  /**
   * Resolves once this is written, maybe long after the first try; before `tried` where that succeeds.
   * Never, where the store refuses it, a newer version takes its place, or it is lost.
   */
  written: Promise<void>;
}

/** What is to be written. */
export interface Write {
  /** Of the record that this is a version of; left out for what happened. */
  key?: string;
  /** One try; rejects as the store. */
  write(): Promise<void>;
  /** What of it takes room while it waits: plain JSON. */
  content: object;
}

interface Version extends Omit<Write, 'key'> {
  isWritten(): void;
}

type Key = string | symbol;

/** The versions of one record. */
interface Line {
  key: Key;
  /** The newest version that is not written yet. */
  newest: Version | undefined;
  /** Told of the next try. */
  told: ((outcome: Kept) => void)[];
  /** The tries under way. */
  trying?: Promise<boolean>;
}

interface RetryingWriterParts {
  clock: Clock;
  log: Log;
}

const RETRY_MS = 1_000;
/** How many are tried to see whether the store works, and then how many at once: what two transactions hold. */
const TRIED_FIRST = 100;
const TRIED_AT_ONCE = 1_000;

/**
 * Writes to the history, and tries again each second what the store did not take.
 *
 * What happened has no key: it is written in its order, so it waits unseen while anything older waits for its try.
 * A record has its id as key: each version is tried at once, at most one try of each record is under
 * way, and of the versions that come meanwhile only the newest is written next. What the store refuses
 * for good is lost alone; what waits is bounded as {@link Backlog} says.
 */
export class RetryingWriter {
  readonly #parts: RetryingWriterParts;
  readonly #underWay = new PassingMap<Key, Line>();
  /** Those whose last try failed, in their order: they are in it until they are written. */
  readonly #waiting = new Backlog<Key, Line>();
  #retry: unknown;
  /** Whether a try of everything that waits is under way: what comes then may follow it at once. */
  #triesAll = false;
  #isFailing = false;
  #lost = 0;
  #closed = false;

  constructor(parts: RetryingWriterParts) {
    this.#parts = parts;
  }

  /** How many wait, as the store fails. */
  get waiting(): number {
    return this.#waiting.size;
  }

  write({ key: id, write, content }: Write): Writing {
    const key: Key = id ?? Symbol('what happened');
    const tried = Promise.withResolvers<Kept>();
    const written = Promise.withResolvers<void>();
    const writing = { tried: tried.promise, written: written.promise };
    if (this.#closed) {
      tried.resolve(notWritten('CLOSED', 'The appliance is stopping.'));
      return writing;
    }
    const line = this.#underWay.get(key) ?? this.#waiting.get(key) ?? newLine(key);
    line.newest = { write, content, isWritten: written.resolve };
    if (id === undefined && this.#waiting.size > 0 && !this.#triesAll) {
      tried.resolve(notWritten('BUSY', 'Older records wait for the store.'));
      this.#wait(line);
      return writing;
    }
    line.told.push(tried.resolve);
    if (!this.#underWay.has(key)) void this.#begin(line);
    return writing;
  }

  /** Drops the version of a record that waits: a newer one is written elsewhere. */
  supersede(key: string): void {
    this.#waiting.delete(key);
    const line = this.#underWay.get(key);
    if (line) line.newest = undefined;
  }

  /** Tries nothing again. Resolves once the tries under way, and of what waits for them, are over. */
  async close(): Promise<void> {
    const { clock, log } = this.#parts;
    this.#closed = true;
    clock.clearTimeout(this.#retry);
    await Promise.all(this.#underWay.values().map(({ trying }) => trying));
    const records = this.waiting;
    if (records > 0)
      log.error({ records }, 'Records that waited for the store are lost at the stop.');
  }

  /** Resolves with whether nothing of it is left to write. */
  #begin(line: Line): Promise<boolean> {
    this.#underWay.set(line.key, line);
    line.trying = this.#tryVersions(line);
    return line.trying;
  }

  /** Tries each version at most once, also while the writer closes: whoever waits for it is told. */
  async #tryVersions(line: Line): Promise<boolean> {
    let outcome: Kept = { kept: true };
    for (let version: Version | undefined; line.newest && line.newest !== version; ) {
      version = line.newest;
      const { told } = line;
      line.told = [];
      outcome = await this.#try(version, line.key);
      for (const tell of told) tell(outcome);
      // Only now: a version that is superseded while it is tried is not tried again.
      if (line.newest === version && !mayBeWrittenLater(outcome)) line.newest = undefined;
    }
    this.#underWay.delete(line.key);
    // They came for a version that was superseded.
    for (const tell of line.told.splice(0)) tell(outcome);
    if (line.newest) this.#wait(line);
    else this.#waiting.delete(line.key);
    if (outcome.kept) this.#logRecovery();
    return line.newest === undefined;
  }

  async #try({ write, isWritten }: Version, key: Key): Promise<Kept> {
    try {
      await write();
      isWritten();
      return { kept: true };
    } catch (error) {
      this.#logFailure(key, error);
      return { kept: false, error };
    }
  }

  #wait(line: Line): void {
    this.#lost += this.#waiting.put(line.key, line, line.newest?.content ?? {});
    this.#plan(RETRY_MS);
  }

  #plan(delayMs: number): void {
    if (this.#closed || this.#waiting.size === 0) return;
    this.#retry ??= this.#parts.clock.setTimeout(() => void this.#tryAgain(), delayMs);
  }

  /** Tries all that waits in its order, as long as the store takes any; what fails waits in its place. */
  async #tryAgain(): Promise<void> {
    let delayMs = 0;
    let size = TRIED_FIRST;
    for (const lines = this.#waiting.all(); lines.length > 0 && !this.#closed; await nextTurn()) {
      const areDone = await this.#trySome(lines.splice(0, size));
      if (areDone.includes(false)) delayMs = RETRY_MS;
      if (areDone.length > 0 && !areDone.includes(true)) break;
      size = TRIED_AT_ONCE;
    }
    this.#retry = undefined;
    this.#plan(delayMs);
  }

  /** Resolves with whether each is done, but for those that were superseded, or are tried with a newer version. */
  async #trySome(lines: readonly Line[]): Promise<boolean[]> {
    const left = lines.filter(
      (line) => this.#waiting.get(line.key) === line && !this.#underWay.has(line.key),
    );
    this.#triesAll = left.length === this.#waiting.size;
    const areDone = await Promise.all(left.map((line) => this.#begin(line)));
    this.#triesAll = false;
    return areDone;
  }

  /** A store that fails is nobody's fault here: it is said, once, and the caller decides. */
  #logFailure(key: Key, err: unknown): void {
    const { log } = this.#parts;
    const id = typeof key === 'string' ? key : undefined;
    if (isRefused(err)) {
      log.error({ err, id }, 'The history store refused a record; it is lost.');
    } else if (!this.#isFailing) {
      this.#isFailing = true;
      log.error({ err, id }, 'The history store failed; records wait in memory.');
    }
  }

  #logRecovery(): void {
    if (!this.#isFailing || this.#waiting.size > 0) return;
    this.#parts.log.info({ lost: this.#lost }, 'The history store works again.');
    this.#isFailing = false;
    this.#lost = 0;
  }
}

function newLine(key: Key): Line {
  return { key, newest: undefined, told: [] };
}

function notWritten(code: 'BUSY' | 'CLOSED', message: string): Kept {
  return { kept: false, error: new StoreError(code, message) };
}

function mayBeWrittenLater(outcome: Kept): boolean {
  return !outcome.kept && !isRefused(outcome.error);
}

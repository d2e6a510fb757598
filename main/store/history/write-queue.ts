import { StoreError } from '../store-error.ts';
import type { HistoryRecords, WriteLoad } from './history.ts';
import type { Outcome } from './writer.ts';

/** How records are gathered into transactions. */
export interface QueueOptions {
  /**
   * Least milliseconds between the beginnings of two transactions: what comes meanwhile shares the
   * next one. Under load it trades that much delay for most of the cost of messages and commits.
   */
  gatherMs: number;
  /** Records, and characters of bodies, that may wait; beyond them a write is refused. */
  maxRecords: number;
  maxChars: number;
}

const DEFAULT_QUEUE: QueueOptions = {
  gatherMs: 50,
  maxRecords: 50_000,
  maxChars: 64 * 1024 * 1024,
};

/** What one transaction holds at most, but for a single caller who brings more. */
const MAX_BATCH_RECORDS = 1_000;
const MAX_BATCH_CHARS = 4 * 1024 * 1024;

/** About what a run takes as JSON beside its detail, and an id in that of its batch. */
const CHARS_PER_RUN = 400;
const CHARS_PER_ID = 40;
const CHARS_PER_ARTIFACT = 250;

interface Waiting {
  records: HistoryRecords;
  size: Size;
  resolve(): void;
  reject(error: unknown): void;
}

interface Size {
  records: number;
  chars: number;
}

/**
 * Gathers the records of many callers into few transactions. One is under way at a time; each caller
 * is answered after the one that holds its records. The first write after a rest leaves at once.
 */
export class WriteQueue implements WriteLoad {
  readonly #send: (batch: readonly HistoryRecords[]) => Promise<readonly Outcome[]>;
  readonly #report: (outcome: Extract<Outcome, { kept: true }>) => void;
  readonly #options: QueueOptions;
  #waiting: Waiting[] = [];
  readonly #size: Size = { records: 0, chars: 0 };
  #pumping: Promise<void> | null = null;
  #closed = false;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  readonly #listeners: ((durationMs: number) => void)[] = [];

  /**
   * @param send keeps a batch; answers the outcome of each caller's records
   * @param report hears of each outcome of records that were kept
   */
  constructor(
    send: (batch: readonly HistoryRecords[]) => Promise<readonly Outcome[]>,
    report: (outcome: Extract<Outcome, { kept: true }>) => void,
    options: QueueOptions = DEFAULT_QUEUE,
  ) {
    this.#send = send;
    this.#report = report;
    this.#options = options;
  }

  /**
   * Resolves once the records are kept.
   * @throws StoreError where they are not; `BUSY` where too much waits already, `CLOSED` after the close
   */
  write(records: HistoryRecords): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreError('CLOSED', 'The history is closed.'));
    const size = sizeOf(records);
    const { maxRecords, maxChars } = this.#options;
    if (
      this.#size.records + size.records > maxRecords ||
      this.#size.chars + size.chars > maxChars
    ) {
      return Promise.reject(new StoreError('BUSY', 'Too many records wait for the history.'));
    }
    return new Promise((resolve, reject) => {
      this.#size.records += size.records;
      this.#size.chars += size.chars;
      this.#waiting.push({ records, size, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  get waiting(): number {
    return this.#size.records;
  }

  filled(toCome: number): number {
    const { maxRecords, maxChars } = this.#options;
    if (toCome >= maxRecords) return Number.POSITIVE_INFINITY;
    return Math.max(this.#size.records / (maxRecords - toCome), this.#size.chars / maxChars);
  }

  listen(listener: (durationMs: number) => void): void {
    this.#listeners.push(listener);
  }

  /** Refuses what comes from now on; resolves once nothing waits. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pumping;
  }

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0) {
      await rest(this.#lastSentAt + this.#options.gatherMs - performance.now());
      this.#lastSentAt = performance.now();
      await this.#keep(this.#takeBatch());
      const durationMs = performance.now() - this.#lastSentAt;
      for (const listener of this.#listeners) listener(durationMs);
    }
    this.#pumping = null;
  }

  #takeBatch(): readonly Waiting[] {
    const size = { records: 0, chars: 0 };
    let count = 0;
    for (const waiting of this.#waiting) {
      size.records += waiting.size.records;
      size.chars += waiting.size.chars;
      if (count > 0 && (size.records > MAX_BATCH_RECORDS || size.chars > MAX_BATCH_CHARS)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #keep(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#send(batch.map(({ records }) => records));
      for (const [index, waiting] of batch.entries()) this.#settle(waiting, outcomes[index]);
    } catch (error) {
      // Records that cannot be copied between threads fail before they are sent: whose they are
      // shows when each caller's go alone.
      if (error instanceof StoreError || batch.length === 1) {
        for (const waiting of batch) this.#fail(waiting, error);
      } else {
        for (const waiting of batch) await this.#keep([waiting]);
      }
    }
  }

  #settle(waiting: Waiting, outcome: Outcome | undefined): void {
    if (outcome?.kept) {
      this.#release(waiting);
      this.#report(outcome);
      waiting.resolve();
    } else {
      const { code, message } = outcome ?? {
        code: 'INTERNAL',
        message: 'No outcome was answered.',
      };
      this.#fail(waiting, new StoreError(code, message));
    }
  }

  #fail(waiting: Waiting, error: unknown): void {
    this.#release(waiting);
    waiting.reject(
      error instanceof StoreError
        ? error
        : new StoreError('INVALID', (error as Error).message, { cause: error }),
    );
  }

  #release({ size }: Waiting): void {
    this.#size.records -= size.records;
    this.#size.chars -= size.chars;
  }
}

function sizeOf(records: HistoryRecords): Size {
  let chars = 0;
  for (const { detail, artifacts = [] } of records.results ?? []) {
    chars += detail.length + artifacts.length * CHARS_PER_ARTIFACT;
  }
  for (const { results } of records.sessions ?? []) chars += results.length * CHARS_PER_RUN;
  for (const { detail, artifacts = [] } of records.testResults ?? []) {
    chars += CHARS_PER_RUN + (detail?.length ?? 0) + artifacts.length * CHARS_PER_ARTIFACT;
  }
  for (const { sessionIds } of records.batches ?? []) chars += sessionIds.length * CHARS_PER_ID;
  return { records: sum(Object.values(records).map((list) => list?.length ?? 0)), chars };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Lets at least the current turn end, so that whatever comes in it shares the batch. */
function rest(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (delayMs > 0) setTimeout(resolve, delayMs);
    else setImmediate(resolve);
  });
}

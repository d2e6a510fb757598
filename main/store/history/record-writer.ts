import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import { Backlog } from '../backlog.ts';
import { isRefused } from '../store-error.ts';
import type { History, HistoryRecords } from './history.ts';

const RETRY_MS = 1_000;
const DRAINED_AT_ONCE = 500;

interface RecordWriterParts {
  history: Pick<History, 'write'>;
  clock: Clock;
  log: Log;
  /** Whether there is still such a check: the states of others are dropped. */
  isKnown(checkId: string): boolean;
}

/** Told once facts are kept. */
type Follower = () => void;

/** Facts of one transaction. */
interface Batch {
  facts: HistoryRecords;
  /** Its place among all: states of a later one are newer. */
  order: number;
  followers: readonly Follower[];
}

/** Has facts kept. While the store fails, they wait here in their order and are tried again. */
export class RecordWriter {
  readonly #parts: RecordWriterParts;
  /** By check, the batch that its state was kept with last. */
  readonly #stateFrom = new Map<string, number>();
  /** By their order; those that are tried again are in it until they are kept. */
  readonly #backlog = new Backlog<number, Batch>();
  #retry: unknown;
  #order = 0;
  #lost = 0;

  constructor(parts: RecordWriterParts) {
    this.#parts = parts;
  }

  /** Batches that wait as the store fails. */
  get waiting(): number {
    return this.#backlog.size;
  }

  /**
   * Resolves with whether the facts are kept already. Followers are told once they are, now or later;
   * never where the store refuses them.
   */
  async keep(facts: HistoryRecords, followers: readonly Follower[] = []): Promise<boolean> {
    const batch = { facts, order: this.#order++, followers };
    if (this.#backlog.size === 0) return this.#try(batch);
    this.#wait(batch);
    return false;
  }

  forget(checkId: string): void {
    this.#stateFrom.delete(checkId);
  }

  /** Whether a batch is kept; where the store is to blame for that it is not, it waits. */
  async #try(batch: Batch): Promise<boolean> {
    const { log } = this.#parts;
    try {
      await this.#write(batch);
      return true;
    } catch (error) {
      if (isRefused(error)) {
        log.error({ err: error }, 'The history store refused what it was given; it is lost.');
      } else {
        log.error({ err: error }, 'The history store failed; what happened waits in memory.');
        this.#wait(batch);
      }
      return false;
    }
  }

  async #write(batch: Batch): Promise<void> {
    await this.#parts.history.write(this.#withoutOldStates(batch));
    for (const { checkId } of batch.facts.states ?? []) {
      this.#stateFrom.set(checkId, Math.max(batch.order, this.#stateFrom.get(checkId) ?? 0));
    }
    this.#tellFollowers(batch);
  }

  /** One's mistake is no failure of the store, and keeps nothing from the others. */
  #tellFollowers({ followers }: Batch): void {
    for (const tell of followers) {
      try {
        tell();
      } catch (error) {
        const message = 'Whoever follows what is kept failed; it is kept all the same.';
        this.#parts.log.error({ err: error }, message);
      }
    }
  }

  /** A state that waited may be older than one that was kept meanwhile. */
  #withoutOldStates({ facts, order }: Batch): HistoryRecords {
    const states = facts.states?.filter(
      ({ checkId }) => this.#parts.isKnown(checkId) && order >= (this.#stateFrom.get(checkId) ?? 0),
    );
    return { ...facts, states };
  }

  #wait(batch: Batch): void {
    this.#lost += this.#backlog.add(batch.order, batch, batch.facts);
    this.#retry ??= this.#parts.clock.setTimeout(() => void this.#drain(), RETRY_MS);
  }

  /** Tries what waits again, many at a time and in order; what fails waits on in its place. */
  async #drain(): Promise<void> {
    const { clock, log } = this.#parts;
    const tried = this.#backlog.first(DRAINED_AT_ONCE);
    const outcomes = await Promise.allSettled(tried.map(([, batch]) => this.#write(batch)));
    const settled = tried.filter((_, index) => !mayYetBeKept(outcomes[index]));
    for (const [order] of settled) this.#backlog.delete(order);
    this.#retry = undefined;
    if (this.#backlog.size > 0) {
      log.debug({ waiting: this.#backlog.size }, 'What happened still waits for the store.');
      const delayMs = settled.length < tried.length ? RETRY_MS : 0;
      this.#retry = clock.setTimeout(() => void this.#drain(), delayMs);
      return;
    }
    log.info({ lost: this.#lost }, 'The history store works again.');
    this.#lost = 0;
  }
}

function mayYetBeKept(outcome: PromiseSettledResult<void> | undefined): boolean {
  return outcome?.status === 'rejected' && !isRefused(outcome.reason);
}

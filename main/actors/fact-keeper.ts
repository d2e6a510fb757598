import type { Clock } from '#shared/clock.ts';
import type { Log } from '../log.ts';
import type { History, HistoryFacts } from '../store/history.ts';
import { StoreError } from '../store/store-error.ts';

/** Batches that wait for a store that fails; the oldest go first when there are more. */
const MAX_BACKLOG = 20_000;
const RETRY_MS = 1_000;
const DRAINED_AT_ONCE = 500;

interface FactKeeperParts {
  history: Pick<History, 'write'>;
  clock: Clock;
  log: Log;
  /** Whether there is still such a check: the states of others are dropped. */
  isKnown(checkId: string): boolean;
}

/** Facts of one transaction, and what to do once they are kept. */
interface Batch {
  facts: HistoryFacts;
  /** Its place among all: states of a later one are newer. */
  order: number;
  onKept: () => void;
}

/** Has facts kept. While the store fails, they wait here in their order and are tried again. */
export class FactKeeper {
  readonly #parts: FactKeeperParts;
  /** By check, the batch that its state was kept with last. */
  readonly #stateFrom = new Map<string, number>();
  #backlog: Batch[] = [];
  #retry: unknown;
  #order = 0;
  #lost = 0;

  constructor(parts: FactKeeperParts) {
    this.#parts = parts;
  }

  /** Batches that wait as the store fails. */
  get waiting(): number {
    return this.#backlog.length;
  }

  /**
   * Resolves with whether the facts are kept already. `onKept` is called once they are, now or later;
   * never where the store refuses them.
   */
  async keep(facts: HistoryFacts, onKept: () => void = () => {}): Promise<boolean> {
    const batch = { facts, order: this.#order++, onKept };
    if (this.#backlog.length === 0) return this.#try(batch);
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
    batch.onKept();
  }

  /** A state that waited may be older than one that was kept meanwhile. */
  #withoutOldStates({ facts, order }: Batch): HistoryFacts {
    const states = facts.states?.filter(
      ({ checkId }) => this.#parts.isKnown(checkId) && order >= (this.#stateFrom.get(checkId) ?? 0),
    );
    return { ...facts, states };
  }

  #wait(batch: Batch): void {
    this.#backlog.push(batch);
    if (this.#backlog.length > MAX_BACKLOG) {
      this.#backlog.shift();
      this.#lost++;
    }
    this.#retry ??= this.#parts.clock.setTimeout(() => void this.#drain(), RETRY_MS);
  }

  /** Tries what waits again, many at a time and in order; what fails waits on, before what came since. */
  async #drain(): Promise<void> {
    const { clock, log } = this.#parts;
    const tried = this.#backlog.splice(0, DRAINED_AT_ONCE);
    const outcomes = await Promise.allSettled(tried.map((batch) => this.#write(batch)));
    const failed = tried.filter((_, index) => mayYetBeKept(outcomes[index]));
    this.#backlog.unshift(...failed);
    this.#retry = undefined;
    if (this.#backlog.length > 0) {
      log.debug({ waiting: this.#backlog.length }, 'What happened still waits for the store.');
      const delayMs = failed.length > 0 ? RETRY_MS : 0;
      this.#retry = clock.setTimeout(() => void this.#drain(), delayMs);
      return;
    }
    log.info({ lost: this.#lost }, 'The history store works again.');
    this.#lost = 0;
  }
}

/** A fact that no store would ever take is our own fault: trying it again would block the others. */
function isRefused(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'INVALID';
}

function mayYetBeKept(outcome: PromiseSettledResult<void> | undefined): boolean {
  return outcome?.status === 'rejected' && !isRefused(outcome.reason);
}

import { workerData } from 'node:worker_threads';
import { StorageNotices, type StorageState } from '../storage-state.ts';
import { type Notify, serve } from '../thread/serve.ts';
import { BackgroundWork } from './background-work.ts';
import { openForWriting } from './database.ts';
import type { HistoryRecords } from './history.ts';
import type { Retention } from './retention.ts';
import { sqliteStoreError } from './sqlite-error.ts';
import { type Outcome, Writer } from './writer.ts';

/** What the thread is given at its start. */
export interface WriterData {
  folder: string;
  retention: Retention;
}

/** What it answers at its start: when the appliance was last known to be alive before it. */
export interface WriterOpened {
  lastAliveAt: number | null;
}

/**
 * The history's one writer, with the work that it does in the background. Times are epoch ms; they come
 * with the calls of the main thread, whose clock may be a simulated one.
 */
export class HistoryWriter {
  readonly #writer: Writer;
  readonly #backgroundWork: BackgroundWork<'trim' | 'shrink' | 'sumUp' | 'sweep'>;
  readonly #notices: StorageNotices;
  #now = 0;

  constructor(writer: Writer, notify: Notify) {
    this.#writer = writer;
    this.#backgroundWork = new BackgroundWork(
      {
        trim: () => writer.trim(),
        shrink: () => writer.shrink(),
        sumUp: () => writer.sumUp(this.#now),
        sweep: () => writer.sweep(this.#now),
      },
      (task, error) => {
        const { code, message } = sqliteStoreError(error);
        notify('Work on old history failed; it is tried again.', { task, code, message });
      },
    );
    this.#notices = new StorageNotices((message) => notify(message, {}));
  }

  /** The records of several callers; their outcomes in the same order. */
  write(batch: readonly HistoryRecords[]): Outcome[] {
    const outcomes = this.#writer.write(batch);
    if (this.#writer.overBudget) this.#backgroundWork.want('trim');
    return outcomes;
  }

  forget(checkId: string, now: number): void {
    this.#now = now;
    this.#writer.forget(checkId, now);
    this.#backgroundWork.want('sweep');
  }

  /** Records that the appliance is alive. */
  stamp(now: number): StorageState {
    this.#now = now;
    this.#writer.stamp(now);
    return this.#lookAfter();
  }

  /** The clock shows the right time, however far it jumped. */
  confirmClock(now: number): StorageState {
    this.#now = now;
    this.#writer.confirmClock(now);
    this.#lookBack();
    return this.#lookAfter();
  }

  /** Starts to sum up what is over and to remove what is due; answers at once. */
  sweep(now: number): void {
    this.#now = now;
    this.#lookBack();
  }

  close(now: number): void {
    this.#backgroundWork.stop();
    this.#writer.close(now);
  }

  /** In this order: what is removed is summed up before. Where the first fails, room is made all the same. */
  #lookBack(): void {
    this.#backgroundWork.want('sumUp');
    this.#backgroundWork.want('sweep');
  }

  /** How the room and the clock stand, told to the log where that is news. */
  #lookAfter(): StorageState {
    if (this.#writer.isTooLarge) this.#backgroundWork.want('shrink');
    const state = this.#writer.stateAt(this.#now);
    this.#notices.tell(state);
    return state;
  }
}

await serve(async (notify) => {
  const { folder, retention } = workerData as WriterData;
  const writer = new Writer(openForWriting(folder), retention);
  const value: WriterOpened = { lastAliveAt: writer.aliveAt() };
  return { value, handlers: [new HistoryWriter(writer, notify)] };
}, sqliteStoreError);

import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { History } from '#main/store/history/history.ts';
import type { KindUse } from '#main/store/history/storage-meter.ts';
import { type StorageState, storageWarnings } from '#main/store/storage-state.ts';
import { overloadWarnings } from '#shared/self-monitoring/overload.ts';

export interface StorageReport extends StorageState {
  /** What an operator is to see to, in sentences. */
  warnings: readonly string[];
  kinds: readonly KindUse[];
}

/** The room and the clock of the history. */
export class Storage {
  readonly #history: History;
  readonly #monitor: Pick<Monitor, 'isOverloaded'>;

  constructor({ history, monitor }: { history: History; monitor: Pick<Monitor, 'isOverloaded'> }) {
    this.#history = history;
    this.#monitor = monitor;
  }

  async read(): Promise<StorageReport> {
    return this.#report(await this.#history.probe());
  }

  /** Says that the clock is right, so that old history is removed by it. */
  async confirmClock(): Promise<StorageReport> {
    return this.#report(await this.#history.confirmClock());
  }

  async #report(state: StorageState): Promise<StorageReport> {
    const warnings = [...overloadWarnings(this.#monitor.isOverloaded), ...storageWarnings(state)];
    return { ...state, warnings, kinds: await this.#history.measure() };
  }
}

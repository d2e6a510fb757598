import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import { type StorageState, storageWarnings } from '#main/store/storage-state.ts';
import { STORE_TROUBLE, StoreError } from '#main/store/store-error.ts';
import type { Clock } from '#shared/clock.ts';
import { overloadWarnings } from '#shared/self-monitoring/overload.ts';
import { ServiceError } from './service-error.ts';

const MAX_WAIT_MS = 2_000;

interface Parts {
  clock: Clock;
  configuration: Pick<Configuration, 'probe'>;
  history: Pick<History, 'probe'>;
  monitor: Pick<Monitor, 'isStoreFailing' | 'isOverloaded'>;
}

/** Whether the appliance can do its work. */
export class Health {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * What an operator is to see to, though all is kept; in sentences.
   *
   * @throws ServiceError UNAVAILABLE where the stores keep nothing, did not keep what happened lately,
   * or do not answer within 2 seconds
   */
  async warnings(): Promise<string[]> {
    const { monitor } = this.#parts;
    if (monitor.isStoreFailing) {
      throw unavailable('The store fails: what happens waits in memory until it can be kept');
    }
    return [
      ...overloadWarnings(monitor.isOverloaded),
      ...storageWarnings(await this.#storeAnswers()),
    ];
  }

  /** What could not be kept may be larger than a mark, so both are asked. */
  async #storeAnswers(): Promise<StorageState> {
    const { clock, configuration, history } = this.#parts;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const error = unavailable('The store does not answer');
    const timer = clock.setTimeout(() => reject(error), MAX_WAIT_MS);
    const written = history.probe().catch(refuseWith('The store cannot keep anything'));
    const configured = configuration
      .probe()
      .catch(refuseWith('No change of the configuration can be kept until a restart'));
    try {
      const [state] = await Promise.race([Promise.all([written, configured]), late]);
      return state;
    } finally {
      clock.clearTimeout(timer);
    }
  }
}

function refuseWith(what: string): (cause: unknown) => never {
  return (cause) => {
    throw unavailable(`${what}: ${reasonOf(cause)}`, cause);
  };
}

/** Without the message, which may hold a path: anybody may ask. */
function reasonOf(error: unknown): string {
  return STORE_TROUBLE[error instanceof StoreError ? error.code : 'INTERNAL'].words;
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', message, { cause });
}

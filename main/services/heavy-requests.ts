import { ServiceError, tooMany } from './service-error.ts';

/** So many may wait for the one under way. */
const MAX_WAITING = 4;
const RETRY_AFTER_MS = 5_000;

interface Waiting {
  isGone(): boolean;
  begin(): void;
  dismiss(reason: ServiceError): void;
}

/** Heavy requests of one kind, one after another; who comes when too many wait is sent away. */
export class HeavyRequests {
  readonly #noun: string;
  #isBusy = false;
  #waiting: readonly Waiting[] = [];

  /** @param noun what waits, in the plural */
  constructor(noun: string) {
    this.#noun = noun;
  }

  /**
   * @param isGone whether the client hung up; one that did leaves its place to others
   * @throws ServiceError TOO_MANY where too many wait, TIMED_OUT where the client hung up before its turn
   */
  async take<T>(task: () => Promise<T>, isGone: () => boolean): Promise<T> {
    using _turn = await this.begin(isGone);
    return await task();
  }

  /** The turn of a request whose work has no one end; others wait until it is disposed of. Throws as {@link take}. */
  async begin(isGone: () => boolean): Promise<Disposable> {
    if (this.#isBusy) await this.#wait(isGone);
    this.#isBusy = true;
    return { [Symbol.dispose]: () => this.#handOn() };
  }

  #wait(isGone: () => boolean): Promise<void> {
    this.#dismissGone();
    if (this.#waiting.length >= MAX_WAITING) {
      throw tooMany(`Too many ${this.#noun} wait already: try again in a moment`, RETRY_AFTER_MS);
    }
    const { promise, resolve: begin, reject: dismiss } = Promise.withResolvers<void>();
    this.#waiting = [...this.#waiting, { isGone, begin, dismiss }];
    return promise;
  }

  /** Stays busy where another one waits, so that nobody gets in between. */
  #handOn(): void {
    this.#dismissGone();
    const [next, ...rest] = this.#waiting;
    this.#waiting = rest;
    if (next === undefined) this.#isBusy = false;
    else next.begin();
  }

  #dismissGone(): void {
    const { gone = [], here = [] } = Object.groupBy(this.#waiting, (one) =>
      one.isGone() ? 'gone' : 'here',
    );
    this.#waiting = here;
    for (const { dismiss } of gone) dismiss(clientGone());
  }
}

/** A client that hung up needs no answer. */
export function clientGone(): ServiceError {
  return new ServiceError('TIMED_OUT', 'The client hung up');
}

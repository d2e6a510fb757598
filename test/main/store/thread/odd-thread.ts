import { workerData } from 'node:worker_threads';
import { StartupError } from '#main/platform/startup-error.ts';
import { StoreError } from '#main/store/store-error.ts';
import { JsonAnswer } from '#main/store/thread/json-answer.ts';
import { type Notify, serve } from '#main/store/thread/serve.ts';

/** Answers, keeps silent, fails and dies as it is told. */
export class Odd {
  readonly #notify: Notify;

  constructor(notify: Notify) {
    this.#notify = notify;
  }

  echo(text: string): string {
    return text;
  }

  list(length: number): JsonAnswer<number[]> {
    return new JsonAnswer(`[${Array.from({ length }, (_, n) => n)}]`);
  }

  bytes(length: number): { bytes: Uint8Array } {
    return { bytes: new Uint8Array(length).fill(7) };
  }

  never(): Promise<void> {
    return new Promise(() => undefined);
  }

  full(): void {
    throw new StoreError('FULL', 'No room.');
  }

  mistake(): void {
    throw new TypeError('A mistake of ours.');
  }

  notice(): void {
    this.#notify('Something happened.', { times: 2 });
  }

  die(): void {
    process.exit(3);
  }
}

/** A thread for tests. */
await serve(async (notify) => {
  const { refuse } = workerData as { refuse?: string };
  if (refuse !== undefined) throw new StartupError(refuse);
  return { value: 'ready', handlers: [new Odd(notify)] };
});

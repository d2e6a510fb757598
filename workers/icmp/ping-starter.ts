import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ping, PingEnd } from './ping-process.ts';

/** To the helper. */
export type AskedPing = Ping & { id: number };
/** From the helper. */
export interface EndedPing {
  id: number;
  exit: PingEnd;
}

const HELPER = fileURLToPath(new URL('./ping-helper.ts', import.meta.url));
const HELPER_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'];
/** A helper without pings ends after this time. */
const IDLE_MS = 120_000;

/** Has pings started by a small process, which begins with the first one and ends when there are none for a while. */
export class PingStarter {
  #helper: ChildProcess | undefined;
  readonly #waiting = new Map<number, (exit: PingEnd) => void>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /** As `runPing`; where the helper is lost, `startError` is `EPIPE`. */
  run(ping: Ping): Promise<PingEnd> {
    clearTimeout(this.#idle);
    const helper = this.#helper ?? this.#start();
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, resolve);
      helper.send({ id, ...ping } satisfies AskedPing, (error) => {
        if (error) this.#end(id, { startError: 'EPIPE' });
      });
    });
  }

  #start(): ChildProcess {
    const helper = fork(HELPER, [], {
      execArgv: HELPER_FLAGS,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#helper = helper;
    // Neither keeps its thread, which has a port of its own.
    helper.unref();
    helper.channel?.unref();
    helper.on('message', ({ id, exit }: EndedPing) => this.#end(id, exit));
    helper.once('error', () => this.#lose(helper));
    helper.once('exit', () => this.#lose(helper));
    return helper;
  }

  #end(id: number, exit: PingEnd): void {
    this.#waiting.get(id)?.(exit);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#rest(), IDLE_MS).unref();
  }

  #rest(): void {
    const helper = this.#helper;
    this.#helper = undefined;
    if (helper?.connected) helper.disconnect();
  }

  #lose(helper: ChildProcess): void {
    // One that was let go has no pings under way.
    if (helper !== this.#helper) return;
    this.#helper = undefined;
    for (const id of this.#waiting.keys()) this.#end(id, { startError: 'EPIPE' });
  }
}

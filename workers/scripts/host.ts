import type { ScriptOutcome, ScriptRunner, ScriptTask } from '#shared/run/script.ts';
import { type FromHost, SCRIPTS_AT_ONCE } from '#shared/run/script-host.ts';
import { type HostChild, startChild } from './child.ts';
import { Errand, type ScriptFetch } from './errand.ts';

export interface ScriptHostOptions {
  /** Makes the HTTP requests of scripts. */
  fetch: ScriptFetch;
  /** The Node binary that hosts run on; this process's own by default. */
  nodePath?: string;
  /** Megabytes that one script may use; 64 by default. */
  memoryMb?: number;
  /** Scripts that may wait for their turn; 1,000 by default. */
  maxWaiting?: number;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/**
 * Runs scripts in a host process, started with the first of them. A host that hangs, dies or speaks
 * nonsense is killed and replaced: the script that overstayed ends as `timeout`; the others that
 * were in it run once more if they had made no request yet, else they end as `host`. Hosts that die without having
 * finished anything are started again ever more slowly, up to every 5 s.
 */
export function createScriptHost(
  options: ScriptHostOptions,
): ScriptRunner & { pid(): number | null } {
  const host = new ScriptHost(options);
  return {
    run: (task) => host.run(task),
    close: () => host.close(),
    pid: () => host.pid,
  };
}

class ScriptHost {
  readonly #options: ScriptHostOptions;
  readonly #inHost = new Map<number, Errand>();
  readonly #waiting: Errand[] = [];
  #child: HostChild | null = null;
  #exited: Promise<void> = Promise.resolve();
  #lastId = 0;
  #failures = 0;
  #restart: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: ScriptHostOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  run(task: ScriptTask): Promise<ScriptOutcome> {
    const errand = new Errand(++this.#lastId, task, this.#options.fetch);
    const { maxWaiting = 1_000 } = this.#options;
    if (this.#isClosed) errand.fail('host', 'The script host is closed');
    else if (this.#waiting.length >= maxWaiting)
      errand.fail('host', 'Too many scripts are waiting');
    else {
      this.#waiting.push(errand);
      errand.wait(() => this.#giveUp(errand));
      this.#advance();
    }
    return errand.outcome;
  }

  /** Ends the host and whatever is in it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#restart) clearTimeout(this.#restart);
    for (const errand of this.#waiting.splice(0)) errand.fail('host', 'The script host is closed');
    this.#child?.kill();
    await this.#exited;
  }

  #giveUp(errand: Errand): void {
    const index = this.#waiting.indexOf(errand);
    if (index >= 0) this.#waiting.splice(index, 1);
    errand.fail('host', 'The script host was too busy to take the script in time');
  }

  /** Gives the host as much as it takes at once. */
  #advance(): void {
    if (this.#restart || this.#isClosed) return;
    while (this.#waiting.length > 0 && this.#inHost.size < SCRIPTS_AT_ONCE) {
      const errand = this.#waiting.shift();
      if (!errand) return;
      const child = this.#child ?? this.#start();
      this.#inHost.set(errand.id, errand);
      errand.begin(child, () => this.#overstayed(errand, child));
    }
  }

  #start(): HostChild {
    const exited = Promise.withResolvers<void>();
    this.#exited = exited.promise;
    const child = startChild({
      nodePath: this.#options.nodePath ?? process.execPath,
      memoryMb: this.#options.memoryMb ?? 64,
      onMessage: (message) => this.#take(message),
      onExit: () => {
        exited.resolve();
        this.#lost(child);
      },
    });
    this.#child = child;
    return child;
  }

  #take(message: FromHost): void {
    const errand = this.#inHost.get(message.id);
    if (message.type === 'fetch') {
      errand?.fetch(message.call, message.request);
      return;
    }
    this.#failures = 0;
    this.#inHost.delete(message.id);
    errand?.finish(message.outcome);
    this.#advance();
  }

  /** The host did not keep a deadline itself, so it hangs. */
  #overstayed(errand: Errand, child: HostChild): void {
    this.#inHost.delete(errand.id);
    errand.fail('timeout', `The script did not finish in ${errand.task.timeoutMs} ms`);
    child.kill();
  }

  /** A script whose host another one brought down. */
  #leftBehind(errand: Errand): void {
    if (this.#isClosed || !errand.mayRepeat()) {
      errand.fail('host', 'The script host ended while the script ran in it');
      return;
    }
    errand.wait(() => this.#giveUp(errand));
    this.#waiting.unshift(errand);
  }

  #lost(child: HostChild): void {
    if (this.#child !== child) return;
    this.#child = null;
    const lost = [...this.#inHost.values()];
    this.#inHost.clear();
    for (const errand of lost.reverse()) this.#leftBehind(errand);
    if (this.#isClosed) return;
    const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures++);
    this.#restart = setTimeout(() => {
      this.#restart = null;
      this.#advance();
    }, backoffMs).unref();
  }
}

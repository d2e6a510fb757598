import type { ScriptOutcome, ScriptRunner, ScriptTask } from '#shared/sandbox/script.ts';
import { type hostMemory, ownHostMemory } from './host-memory.ts';
import { Lane } from './host-queue.ts';
import { Offenders } from './quarantine.ts';
import { Errand, type ScriptFetch } from './script-job.ts';

export interface ScriptHostOptions {
  /** Makes the HTTP requests of scripts. */
  fetch: ScriptFetch;
  /** The Node binary that hosts run on; this process's own by default. */
  nodePath?: string;
  /** Megabytes that one script may use; 64 by default. */
  memoryMb?: number;
  /** Scripts that may wait for their turn; 1,000 by default. */
  maxWaiting?: number;
  /** What a host starts with: a program that takes away its network. None by default. */
  launcher?: readonly string[];
  /** What the hosts may take; by default a share of this machine's memory. */
  memory?: ReturnType<typeof hostMemory>;
  /** Milliseconds that the main host stays without work; by default five minutes. */
  idleMs?: number;
}

const IDLE_MS = 5 * 60_000;
/** How long the hosts stay that only trouble needs. */
const ASIDE_IDLE_MS = 10_000;

/**
 * Runs scripts in host processes, started with the first of them. Three lanes keep apart what could
 * harm others: a script runs in the main one; if it used up time or memory the last time, or computes
 * on while others wait, in the slow one; if its host ended under it, alone in the careful one, so
 * that only the script that brings hosts down suffers. A script that already made a request
 * never begins anew: it stays where it is, is lost with its host, and runs alone the next time.
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
  readonly #fetch: ScriptFetch;
  readonly #main: Lane;
  readonly #slow: Lane;
  readonly #careful: Lane;
  readonly #offenders = new Offenders();
  #lastId = 0;

  constructor(options: ScriptHostOptions) {
    const { fetch, nodePath = process.execPath, memoryMb = 64, maxWaiting = 1_000 } = options;
    const { launcher = [], memory = ownHostMemory(), idleMs = IDLE_MS } = options;
    this.#fetch = fetch;
    const common = { nodePath, launcher, memoryMb, maxWaiting };
    const aside = { ...common, isMeek: true, idleMs: ASIDE_IDLE_MS };
    this.#careful = new Lane({ ...aside, ...memory.careful });
    const repeat = (errand: Errand) => this.#careful.take(errand);
    this.#slow = new Lane({ ...aside, ...memory.slow, repeat });
    const setAside = (errand: Errand) => this.#slow.take(errand);
    this.#main = new Lane({ ...common, ...memory.main, isMeek: false, idleMs, repeat, setAside });
  }

  get pid(): number | null {
    return this.#main.pid;
  }

  async run(task: ScriptTask): Promise<ScriptOutcome> {
    const errand = new Errand(++this.#lastId, task, this.#fetch);
    this.#laneOf(task).take(errand);
    const outcome = await errand.outcome;
    this.#offenders.judge(task.source.code, outcome.error, errand.wasLost);
    return outcome;
  }

  #laneOf({ source }: ScriptTask): Lane {
    const standing = this.#offenders.standingOf(source.code);
    if (standing === null) return this.#main;
    return standing === 'offender' ? this.#slow : this.#careful;
  }

  /** Ends the hosts and whatever is in them. */
  async close(): Promise<void> {
    await Promise.all([this.#main, this.#slow, this.#careful].map((lane) => lane.close()));
  }
}

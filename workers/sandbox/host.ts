import { hash } from 'node:crypto';
import type {
  ScriptError,
  ScriptOutcome,
  ScriptRunner,
  ScriptTask,
} from '#shared/sandbox/script.ts';
import { type hostMemory, ownHostMemory } from './host-memory.ts';
import { HostQueue } from './host-queue.ts';
import { type ScriptFetch, ScriptJob } from './script-job.ts';

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
  readonly #main: HostQueue;
  readonly #slow: HostQueue;
  readonly #careful: HostQueue;
  readonly #quarantine = new Quarantine();
  #lastId = 0;

  constructor(options: ScriptHostOptions) {
    const { fetch, nodePath = process.execPath, memoryMb = 64, maxWaiting = 1_000 } = options;
    const { launcher = [], memory = ownHostMemory(), idleMs = IDLE_MS } = options;
    this.#fetch = fetch;
    const common = { nodePath, launcher, memoryMb, maxWaiting };
    const aside = { ...common, isLowPriority: true, idleMs: ASIDE_IDLE_MS };
    this.#careful = new HostQueue({ ...aside, ...memory.careful });
    const repeat = (job: ScriptJob) => this.#careful.enqueue(job);
    this.#slow = new HostQueue({ ...aside, ...memory.slow, repeat });
    const setAside = (job: ScriptJob) => this.#slow.enqueue(job);
    this.#main = new HostQueue({
      ...common,
      ...memory.main,
      isLowPriority: false,
      idleMs,
      repeat,
      setAside,
    });
  }

  get pid(): number | null {
    return this.#main.pid;
  }

  async run(task: ScriptTask): Promise<ScriptOutcome> {
    const job = new ScriptJob(++this.#lastId, task, this.#fetch);
    this.#queueOf(task).enqueue(job);
    const outcome = await job.outcome;
    this.#quarantine.judge(task.source.code, outcome.error, job.wasLost);
    return outcome;
  }

  #queueOf({ source }: ScriptTask): HostQueue {
    const standing = this.#quarantine.standingOf(source.code);
    if (standing === null) return this.#main;
    return standing === 'harmful' ? this.#slow : this.#careful;
  }

  /** Ends the hosts and whatever is in them. */
  async close(): Promise<void> {
    await Promise.all([this.#main, this.#slow, this.#careful].map((queue) => queue.close()));
  }
}

/**
 * How a script's last run ended, where that was not well: a harmful one used up its time or its memory;
 * a suspect was lost with its host, in which others ran as well.
 */
export type Standing = 'harmful' | 'suspect';

/** Most scripts that are remembered; the oldest are forgotten first. */
const MAX_KNOWN = 1_000;
const HARMFUL_ENDS: readonly ScriptError['kind'][] = ['timeout', 'memory'];

/** Remembers by their text the scripts whose last run did harm, or may have. */
export class Quarantine {
  readonly #known = new Map<string, Standing>();

  /** Null for a script that nothing is known against. */
  standingOf(code: string): Standing | null {
    return this.#known.size === 0 ? null : (this.#known.get(keyOf(code)) ?? null);
  }

  /** Takes note of how a run of the script ended; a good run makes up for all before it. */
  judge(code: string, error: ScriptError | null, wasLost: boolean): void {
    if (wasLost) this.#add(keyOf(code), 'suspect');
    else if (error !== null && HARMFUL_ENDS.includes(error.kind)) this.#add(keyOf(code), 'harmful');
    else if (this.#known.size > 0) this.#known.delete(keyOf(code));
  }

  #add(key: string, standing: Standing): void {
    this.#known.delete(key);
    this.#known.set(key, standing);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(code: string): string {
  return hash('sha256', code, 'base64');
}

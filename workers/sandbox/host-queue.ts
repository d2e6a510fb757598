import type { FromHost } from '#shared/sandbox/script-host.ts';
import { type ChildOptions, type HostChild, startChild } from './host-process.ts';
import type { ScriptJob } from './script-job.ts';

export interface HostQueueOptions extends Omit<ChildOptions, 'onMessage' | 'onExit'> {
  /** Scripts that may wait for their turn. */
  maxWaiting: number;
  /** Scripts that the host works on at once. */
  atOnce: number;
  /** Milliseconds after which a host without work is let go. */
  idleMs: number;
  /**
   * Takes the scripts that had their share of time while others wait here, if they can still begin
   * anew. Without it, others wait.
   */
  setAside?: (job: ScriptJob) => void;
  /** Takes the scripts whose host ended and that can begin anew. Without it, they fail. */
  repeat?: (job: ScriptJob) => void;
}

/** How long a script waits before those that compute longer than this are set aside. */
const PATIENCE_MS = 500;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/**
 * A queue with a host process of its own, started with the first script. A host that hangs, dies or
 * speaks nonsense is killed and replaced; one that dies without having finished anything is started
 * again ever more slowly, up to every 5 s.
 */
export class HostQueue {
  readonly #options: HostQueueOptions;
  readonly #inHost = new Map<number, ScriptJob>();
  readonly #waiting: ScriptJob[] = [];
  /** All processes that have not ended: the one that takes scripts, and those given up. */
  readonly #children = new Set<HostChild>();
  #child: HostChild | null = null;
  #failures = 0;
  #restart: NodeJS.Timeout | null = null;
  #patience: NodeJS.Timeout | null = null;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: HostQueueOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Runs a script when its turn comes, or fails it as `host` when that is too late. */
  enqueue(job: ScriptJob): void {
    clearTimeout(this.#idle);
    if (this.#isClosed) job.fail('host', 'The script host is closed');
    else if (this.#waiting.length >= this.#options.maxWaiting)
      job.fail('host', 'Too many scripts are waiting');
    else {
      this.#waiting.push(job);
      job.wait(() => this.#giveUp(job));
      this.#advance();
    }
  }

  /** Ends the host and whatever is in it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#restart) clearTimeout(this.#restart);
    if (this.#patience) clearTimeout(this.#patience);
    clearTimeout(this.#idle);
    for (const job of this.#waiting.splice(0)) job.fail('host', 'The script host is closed');
    for (const child of this.#children) child.kill();
    await Promise.all([...this.#children].map(({ exited }) => exited));
  }

  #giveUp(job: ScriptJob): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
    job.fail('host', 'The script host was too busy to take the script in time');
  }

  /** Gives the host as much as it takes at once. */
  #advance(): void {
    if (this.#restart || this.#isClosed) return;
    while (this.#waiting.length > 0 && this.#inHost.size < this.#options.atOnce) {
      const job = this.#waiting.shift();
      if (!job) return;
      const child = this.#child ?? this.#start();
      this.#inHost.set(job.id, job);
      job.begin(child, () => this.#overstayed(job, child));
    }
    if (this.#waiting.length > 0) this.#loseNoPatience();
    else if (this.#inHost.size === 0) this.#rest();
  }

  #loseNoPatience(): void {
    if (!this.#options.setAside) return;
    this.#patience ??= setTimeout(() => {
      this.#patience = null;
      this.#makeRoom();
    }, PATIENCE_MS).unref();
  }

  /** Sets aside what took its time, so that nobody waits behind scripts that loop. */
  #makeRoom(): void {
    for (const [id, job] of this.#inHost) {
      if (job.inHostMs < PATIENCE_MS || !job.hasReachedNothing) continue;
      this.#inHost.delete(id);
      this.#child?.send({ type: 'stop', id });
      this.#options.setAside?.(job);
    }
    this.#advance();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#child) this.#giveUpHost(this.#child);
    }, this.#options.idleMs).unref();
  }

  /** No script goes into this host any more; with the last one in it, it ends. */
  #giveUpHost(child: HostChild): void {
    if (this.#child === child) this.#child = null;
    const isEmpty = [...this.#inHost.values()].every((job) => !job.isIn(child));
    if (isEmpty) child.kill();
  }

  #start(): HostChild {
    const child = startChild({
      ...this.#options,
      onMessage: (message) => this.#hear(message, child),
      onExit: () => this.#lost(child),
    });
    this.#children.add(child);
    this.#child = child;
    return child;
  }

  #hear(message: FromHost, child: HostChild): void {
    if (message.type === 'stuck') {
      this.#giveUpHost(child);
      return;
    }
    const job = this.#inHost.get(message.id);
    if (message.type === 'fetch') {
      job?.fetch(message.call, message.request);
      return;
    }
    this.#failures = 0;
    this.#inHost.delete(message.id);
    job?.finish(message.outcome);
    if (this.#child !== child) this.#giveUpHost(child);
    this.#advance();
  }

  /**
   * The host did not keep a deadline itself, so it hangs. Which of its scripts did that is only
   * known where there is one; several begin anew, the one that overstayed last.
   */
  #overstayed(job: ScriptJob, child: HostChild): void {
    const beside = this.#takeFrom(child).filter((other) => other !== job);
    if (beside.length === 0) {
      job.fail('timeout', `The script did not finish in ${job.task.timeoutMs} ms`);
    } else for (const one of [...beside, job]) this.#leftBehind(one);
    child.kill();
  }

  /** The scripts in a host, which are in it no longer. */
  #takeFrom(child: HostChild): ScriptJob[] {
    const inside = [...this.#inHost.values()].filter((job) => job.isIn(child));
    for (const { id } of inside) this.#inHost.delete(id);
    return inside;
  }

  #lost(child: HostChild): void {
    this.#children.delete(child);
    if (this.#child === child) {
      this.#child = null;
      if (!this.#isClosed) this.#startLater();
    }
    for (const job of this.#takeFrom(child)) this.#leftBehind(job);
  }

  #startLater(): void {
    const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures++);
    this.#restart = setTimeout(() => {
      this.#restart = null;
      this.#advance();
    }, backoffMs).unref();
  }

  /** A script whose host another one brought down. */
  #leftBehind(job: ScriptJob): void {
    const { repeat } = this.#options;
    if (repeat && !this.#isClosed && job.hasReachedNothing) repeat(job);
    else job.lose();
  }
}

import type { ScriptError, ScriptOutcome, ScriptTask } from '#shared/sandbox/script.ts';
import {
  MAX_SCRIPT_REQUESTS,
  type ScriptHttpRequest,
  type ScriptHttpResponse,
} from '#shared/sandbox/script-host.ts';
import type { HostChild } from './host-process.ts';

/** What a request of a script may take and may not reach. */
export interface ScriptFetchLimits {
  /** Milliseconds left of the script's time. */
  timeoutMs: number;
  deniedRanges: readonly string[];
  /** Aborted when the script ends before its request. */
  signal: AbortSignal;
}

/** Makes a request for a script. A target that fails is a value: a sentence for the script. */
export type ScriptFetch = (
  request: ScriptHttpRequest,
  limits: ScriptFetchLimits,
) => Promise<{ response: ScriptHttpResponse; error?: undefined } | { error: string }>;

/** How much longer than its script a host may take before it counts as hanging. */
const GRACE_MS = 1_500;
/** How much longer still where the host is only starting: on a busy machine that takes seconds. */
const START_MS = 5_000;
/** How many times its own time a script waits that begins anew. */
const PATIENCE_OF_A_REPEAT = 3;

/** One script on its way through a host: its deadlines, its requests, its outcome. */
export class ScriptJob {
  readonly id: number;
  readonly task: ScriptTask;
  readonly outcome: Promise<ScriptOutcome>;
  readonly #resolve: (outcome: ScriptOutcome) => void;
  readonly #fetch: ScriptFetch;
  /** Made with the first request: it costs more than all else here (measured). */
  #end: AbortController | null = null;
  readonly #from = performance.now();
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #child: HostChild | null = null;
  #requests = 0;
  #wasLost = false;

  constructor(id: number, task: ScriptTask, fetch: ScriptFetch) {
    this.id = id;
    this.task = task;
    this.#fetch = fetch;
    const { promise, resolve } = Promise.withResolvers<ScriptOutcome>();
    this.outcome = promise;
    this.#resolve = resolve;
  }

  /**
   * Waits for its turn, as long as the script may take at most; longer where it begins anew, behind
   * the one that may have stopped its host and takes all of its time once more.
   */
  wait(giveUp: () => void): void {
    clearTimeout(this.#timer);
    const patience = this.#child === null ? 1 : PATIENCE_OF_A_REPEAT;
    this.#timer = setTimeout(giveUp, this.task.timeoutMs * patience);
  }

  /** Hands the script to a host. */
  begin(child: HostChild, overstayed: () => void): void {
    clearTimeout(this.#timer);
    this.#child = child;
    this.#startedAt = performance.now();
    const patienceMs = GRACE_MS + (child.hasSpoken ? 0 : START_MS);
    this.#timer = setTimeout(overstayed, this.task.timeoutMs + patienceMs);
    child.send({ type: 'run', id: this.id, task: this.task });
  }

  isIn(child: HostChild): boolean {
    return this.#child === child;
  }

  /** Milliseconds since a host was given the script. */
  get inHostMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Whether the script can begin anew and nobody knows. */
  get hasReachedNothing(): boolean {
    return this.#requests === 0;
  }

  /** Whether its host ended under it, and it could not begin anew. */
  get wasLost(): boolean {
    return this.#wasLost;
  }

  /** Fails a script whose host ended under it. */
  lose(): void {
    this.#wasLost = true;
    this.fail('host', 'The script host ended while the script ran in it');
  }

  finish(outcome: ScriptOutcome): void {
    clearTimeout(this.#timer);
    this.#end?.abort();
    this.#resolve(outcome);
  }

  fail(kind: ScriptError['kind'], message: string): void {
    const { request, env } = this.task;
    const error = { kind, message, line: null, column: null };
    this.finish({
      error,
      request,
      response: null,
      env,
      log: [],
      durationMs: performance.now() - this.#from,
    });
  }

  /** Makes a request for the script. The host counts too; what it says is not relied on. */
  async fetch(call: number, request: ScriptHttpRequest): Promise<void> {
    if (++this.#requests > MAX_SCRIPT_REQUESTS) return;
    this.#end ??= new AbortController();
    const { signal } = this.#end;
    const answer = await this.#ask(request, signal);
    if (signal.aborted) return;
    this.#child?.send({ type: 'fetched', id: this.id, call, ...answer });
  }

  async #ask(request: ScriptHttpRequest, signal: AbortSignal): ReturnType<ScriptFetch> {
    const left = this.task.timeoutMs - (performance.now() - this.#startedAt);
    const { deniedRanges } = this.task;
    const limits = { timeoutMs: Math.max(1, left), deniedRanges, signal };
    try {
      return await this.#fetch(request, limits);
    } catch (error) {
      // Our own fault; the script must not wait for it.
      return { error: `The appliance could not make the request: ${(error as Error).message}` };
    }
  }
}

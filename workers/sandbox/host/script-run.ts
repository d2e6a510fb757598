import type * as Ivm from 'isolated-vm';
import { nodeVersionOf } from '#shared/sandbox/libraries.ts';
import {
  SCRIPT_BYTES,
  type ScriptLogLine,
  type ScriptOutcome,
  type ScriptTask,
} from '#shared/sandbox/script.ts';
import { MAX_CALL_CHARS, MAX_LOG_CHARS, MAX_LOG_LINES } from '#shared/sandbox/script-host.ts';
import type { Isolates, Realm, ScriptIsolate } from './isolates.ts';
import { requiredLibraries } from './libraries.ts';
import { syntaxError } from './positions.ts';
import { Refusal } from './refusal.ts';
import { type CallPorts, ScriptCalls } from './script-calls.ts';
import { asGiven, errorOf, outOfMemory, readOutcome } from './script-outcome.ts';

type End = ReturnType<typeof asGiven>;

/** Bounds of a realm's own bookkeeping. */
const LIMITS = {
  logLines: MAX_LOG_LINES,
  logChars: MAX_LOG_CHARS,
  exchangedChars: SCRIPT_BYTES,
  callChars: MAX_CALL_CHARS,
};
/** What runs on in an isolate this long after its script ended costs the isolate. */
const SETTLE_MS = 100;
/** Measured: some built-in functions (`indexOf` of 2^53 holes) look up only when they have finished. */
const STUCK_MS = 1_000;

/** What a run needs of the process around it. */
export interface RunPorts extends Pick<CallPorts, 'send'> {
  /** Tells the outcome in the very moment, because the process is about to end. */
  lose(outcome: ScriptOutcome): void;
  /** Tells that the script's thread runs on although its isolate was ended. */
  stuck(): void;
}

/** One script, from a fresh realm to its outcome. */
export class ScriptRun {
  readonly #task: ScriptTask;
  readonly #ports: RunPorts;
  readonly #log = new ScriptLog();
  readonly #calls: ScriptCalls;
  readonly #ended = Promise.withResolvers<End>();
  readonly #entered = new Set<Promise<void>>();
  readonly #from = performance.now();
  #scriptIsolate: ScriptIsolate | null = null;
  #realm: Realm | null = null;
  #isOver = false;
  #hasBegun = false;
  #isRunaway = false;

  constructor(task: ScriptTask, ports: RunPorts) {
    this.#task = task;
    this.#ports = ports;
    const callPorts: CallPorts = {
      send: ports.send,
      wake: () => this.#enter('wake', '', ''),
      answer: (call, text, ms) => this.answer(call, text, ms),
      done: (text) => this.#end(readOutcome(text, task)),
    };
    this.#calls = new ScriptCalls(callPorts, task.runtimeId);
  }

  /** Runs the script in one of the cages, within its deadline. */
  async run(isolates: Isolates): Promise<ScriptOutcome> {
    const scriptIsolate = isolates.acquire();
    this.#scriptIsolate = scriptIsolate;
    scriptIsolate.onCatastrophe = () => this.lose();
    const deadline = setTimeout(() => this.#expire(), this.#task.timeoutMs);
    this.#track(this.#begin(scriptIsolate));
    const end = await this.#ended.promise;
    clearTimeout(deadline);
    this.#calls.close();
    this.#leave(scriptIsolate, isolates);
    return this.#outcome(end);
  }

  #outcome(end: End): ScriptOutcome {
    return { ...end, log: this.#log.lines, durationMs: performance.now() - this.#from };
  }

  /** The script brings the whole process down: its outcome leaves at once or never. */
  lose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ports.lose(this.#outcome(asGiven(this.#task, outOfMemory())));
  }

  /** Ends the script at once, because nobody waits for it any more. */
  stop(): void {
    this.#isRunaway = true;
    this.#end(asGiven(this.#task, errorOf('host', 'The script was stopped')));
  }

  /**
   * Hands the answer to one of its requests to the script: JSON of a response or an error, that took
   * `ms` of this thread.
   */
  answer(call: number, text: string, ms: number): void {
    if (this.#calls.answered(call, ms)) this.#enter('fetched', `${call}`, text);
  }

  async #begin(scriptIsolate: ScriptIsolate): Promise<void> {
    const call = (...args: unknown[]) => this.#called(args);
    const log = (...[time, level, msg]: unknown[]) => {
      this.#log.add(time, level, msg);
      return '';
    };
    const { source, snippets, runtimeId } = this.#task;
    const libraries = requiredLibraries([source.code, ...Object.values(snippets)], runtimeId);
    const realm = await scriptIsolate.realm({ call, log, limits: LIMITS, libraries });
    this.#realm = realm;
    const main = await this.#compile(scriptIsolate, realm);
    if (main === null || this.#isOver) return;
    const { request, response, env, phase } = this.#task;
    const node = nodeVersionOf(runtimeId);
    const given = JSON.stringify({ phase, request, response, env, snippets, node });
    this.#enter('start', given, main.derefInto({ release: true }));
  }

  /** The script as an async function, so that `await` and `return` work at its top level. */
  async #compile(scriptIsolate: ScriptIsolate, { context }: Realm): Promise<Ivm.Reference | null> {
    const { name, code } = this.#task.source;
    const origin = { filename: name, lineOffset: -1 };
    try {
      const script = await scriptIsolate.isolate.compileScript(
        `(async function () {\n${code}\n})`,
        origin,
      );
      // What closes the function early runs already here.
      this.#hasBegun = true;
      const main = await script.run(context, { reference: true });
      script.release();
      return main;
    } catch (error) {
      if (scriptIsolate.isolate.isDisposed || !(error instanceof SyntaxError)) throw error;
      const { message, line, column } = syntaxError(error.message, name);
      const told = { kind: 'syntax' as const, message: `SyntaxError: ${message}`, line, column };
      this.#end(asGiven(this.#task, told));
      return null;
    }
  }

  #enter(kind: string, first: string, second: unknown): void {
    if (this.#isOver || !this.#realm) return;
    const { enter } = this.#realm;
    const options = { result: { copy: true } } as const;
    const entered = enter.apply(undefined, [kind, first, second as string], options);
    this.#track(entered.then(() => this.#settled()));
  }

  /** Keeps in mind what runs in the isolate, until it does no longer. */
  #track(running: Promise<void>): void {
    const entered = running
      .catch((error: unknown) => this.#broken(error))
      .finally(() => this.#entered.delete(entered));
    this.#entered.add(entered);
  }

  /** Nothing that could wake the script is on its way: what it waits for never comes. */
  #settled(): void {
    if (this.#isOver || this.#entered.size > 1 || this.#calls.arePending) return;
    const message = 'The script can never finish: nothing will settle the promise it waits for';
    this.#end(asGiven(this.#task, errorOf('timeout', message)));
  }

  #expire(): void {
    const { timeoutMs } = this.#task;
    this.#isRunaway = true;
    const error = this.#hasBegun
      ? errorOf('timeout', `The script did not finish in ${timeoutMs} ms`)
      : errorOf('host', `The script host was too busy to begin the script in ${timeoutMs} ms`);
    this.#end(asGiven(this.#task, error));
  }

  /** The isolate gave up: its memory is used up, or the script broke what it cannot catch itself. */
  #broken(error: unknown): void {
    if (this.#isOver) return;
    // What is thrown outside of the script's function may be any value.
    const message = error instanceof Error ? error.message : `it threw ${typeof error}`;
    const told = this.#scriptIsolate?.isolate.isDisposed
      ? outOfMemory()
      : errorOf('thrown', `The script broke off: ${message.slice(0, 2_000)}`);
    this.#end(asGiven(this.#task, told));
  }

  #end(end: End): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended.resolve(end);
  }

  /** Answers a call of the realm. Never throws: an error of ours must not enter it. */
  #called(args: readonly unknown[]): string {
    if (this.#isOver) return '-The script has ended';
    try {
      return `+${this.#calls.answer(args)}`;
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      this.#end(asGiven(this.#task, errorOf('host', `The script host broke: ${error}`)));
      return '-The script host broke';
    }
  }

  /** Leaves the isolate clean for the next script, or ends it. */
  async #leave(scriptIsolate: ScriptIsolate, isolates: Isolates): Promise<void> {
    const stop = () => {
      if (!scriptIsolate.isolate.isDisposed) scriptIsolate.isolate.dispose();
    };
    if (this.#isRunaway) stop();
    const late = setTimeout(stop, SETTLE_MS);
    const stuck = setTimeout(() => this.#ports.stuck(), STUCK_MS);
    await Promise.allSettled(this.#entered);
    clearTimeout(late);
    clearTimeout(stuck);
    if (!scriptIsolate.isolate.isDisposed && this.#realm) {
      this.#realm.enter.release();
      this.#realm.context.release();
    }
    isolates.give(scriptIsolate);
  }
}

/** A refusal in the words of Node is JSON, so that the script gets the error that Node gives. */
function refused({ message, node }: Refusal): string {
  return node === null ? `-${message}` : `!${JSON.stringify({ message, ...node })}`;
}

const LEVELS: readonly string[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/**
 * The log of one script, bounded here once more: the bound inside a realm spares the way, this one
 * holds. One line more than the limit, for the one that says so.
 */
export class ScriptLog {
  readonly lines: ScriptLogLine[] = [];
  #chars = 0;

  add(time: unknown, level: unknown, msg: unknown): void {
    if (typeof time !== 'number' || typeof level !== 'string' || typeof msg !== 'string') return;
    if (!LEVELS.includes(level) || !Number.isFinite(time)) return;
    if (this.lines.length > MAX_LOG_LINES || this.#chars + msg.length > MAX_LOG_CHARS + 200) return;
    this.#chars += msg.length;
    this.lines.push({ time: Math.round(time), level: level as ScriptLogLine['level'], msg });
  }
}

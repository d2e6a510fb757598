import type { Cause, RunFailure } from '#shared/runs/protocol.ts';
import {
  EXCHANGE_LIMITS,
  isExchangeTooLarge,
  MAX_SNIPPETS_CHARS,
  type RunVariables,
  SCRIPT_TIMEOUT_MS,
  type ScriptError,
  type ScriptOutcome,
  type ScriptRequest,
  type ScriptResponse,
  type ScriptRunner,
  type ScriptSource,
  type ScriptTask,
} from '#shared/sandbox/script.ts';
import { JobLog } from '../net/job-log.ts';

/** What scripts leave behind for what comes after them. */
export interface ScriptState {
  request: ScriptRequest;
  /** Null in setup. */
  response: ScriptResponse | null;
  env: Record<string, string>;
}

/** What scripts run with. */
export interface ScriptContext {
  scripts: ScriptRunner;
  scope: RunVariables;
  /** Reading of `performance.now()` at which the run has to be over. */
  endsAt: number;
  deniedRanges: readonly string[];
}

/** A script that failed, as a result shows it. */
export interface FailedScript extends ScriptError {
  phase: ScriptTask['phase'];
  name: string;
}

export interface ScriptPhase {
  state: ScriptState;
  /** Variables as each of the scripts left them. */
  envs: readonly Record<string, string>[];
  errors: readonly FailedScript[];
  log: JobLog;
  /** Whether it is not known what a script made of the response: it may have hidden something. */
  isResponseUnread: boolean;
}

/** A log of scripts holds what `console` may write, and the lines around it. */
const MAX_LOG_LINES = 1_100;

/**
 * Runs the scripts of a phase one after the other, each on what the one before it left
 * (specification 1.1). Setup ends with the first error; teardown goes on, so that all cleaning up
 * is done.
 */
export async function runScripts(
  phase: ScriptTask['phase'],
  start: ScriptState,
  context: ScriptContext,
): Promise<ScriptPhase> {
  const log = new JobLog(MAX_LOG_LINES);
  const errors: FailedScript[] = [];
  const envs: Record<string, string>[] = [];
  let state = start;
  let isResponseUnread = false;
  for (const source of context.scope[phase]) {
    const { error, ...left } = await runOne(phase, source, state, context, log);
    envs.push(left.env);
    state = { ...left, response: left.response ?? state.response };
    isResponseUnread ||= state.response !== left.response;
    if (error === null) continue;
    errors.push({ phase, name: source.name, ...error });
    if (phase === 'setup') break;
  }
  return { state, envs, errors, log, isResponseUnread };
}

async function runOne(
  phase: ScriptTask['phase'],
  source: ScriptSource,
  state: ScriptState,
  context: ScriptContext,
  log: JobLog,
): Promise<ScriptState & { error: ScriptError | null }> {
  const { snippets, runtimeId } = context.scope;
  log.add('DEBUG', `Starting ${source.name} with runtime ${runtimeId}`);
  const timeoutMs = Math.ceil(Math.min(SCRIPT_TIMEOUT_MS, context.endsAt - performance.now()));
  const early = timeoutMs <= 0 ? NO_TIME : (tooManySnippets(snippets) ?? tooLarge(state));
  if (early) {
    log.add('ERROR', early.message);
    return { ...state, response: null, error: early };
  }
  const { deniedRanges } = context;
  const task = { phase, source, ...state, snippets, runtimeId, timeoutMs, deniedRanges };
  const outcome = await context.scripts.run(task);
  note(outcome, source, log);
  const { request, response, env, error } = outcome;
  return { request: phase === 'setup' ? request : state.request, response, env, error };
}

function note(outcome: ScriptOutcome, source: ScriptSource, log: JobLog): void {
  for (const line of outcome.log) log.append(line);
  if (outcome.error) log.add('ERROR', sentenceOf(outcome.error));
  const took = outcome.durationMs.toFixed(1);
  log.add('DEBUG', `Finished ${source.name} after ${took} ms`);
}

const NO_TIME: ScriptError = {
  kind: 'timeout',
  message: 'the time of the run was used up before the script could start',
  line: null,
  column: null,
};

/** A longer message than a host takes would end it, and other scripts with it. */
function tooManySnippets(snippets: RunVariables['snippets']): ScriptError | null {
  const chars = Object.values(snippets).reduce((sum, { length }) => sum + length, 0);
  if (chars <= MAX_SNIPPETS_CHARS) return null;
  const message = `the snippets that the scripts require are larger than ${MAX_SNIPPETS_CHARS / 1024 / 1024} MB together`;
  return { kind: 'too-large', message, line: null, column: null };
}

/** What is too large for a script is not even handed over. */
function tooLarge(state: ScriptState): ScriptError | null {
  if (!isExchangeTooLarge(state, Buffer.byteLength)) return null;
  const message = `the request, the response or the variables are larger than a script can take: ${EXCHANGE_LIMITS}`;
  return { kind: 'too-large', message, line: null, column: null };
}

function sentenceOf({ message, line }: ScriptError): string {
  return line === null ? message : `${message} (line ${line})`;
}

/** The failure of a run that a script ended: our own trouble where the host failed. */
export function scriptFailure(error: FailedScript): RunFailure {
  const cause: Cause = error.kind === 'host' ? 'INTERNAL' : 'SCRIPT';
  const name = `${error.name.charAt(0).toUpperCase()}${error.name.slice(1)}`;
  return { cause, message: `${name} failed: ${sentenceOf(error)}` };
}

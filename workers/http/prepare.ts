import type { RunFailure } from '#shared/runs/protocol.ts';
import type { RunVariables, ScriptRequest, ScriptRunner } from '#shared/sandbox/script.ts';
import { JobLog } from '../net/job-log.ts';
import type { HttpRun } from './findings.ts';
import { renderRequest, TemplateRun } from './render-request.ts';
import { buildRequest, type HttpCheckRequest, type HttpRequest } from './request.ts';
import {
  type FailedScript,
  runScripts,
  type ScriptContext,
  scriptFailure,
} from './script-phase.ts';
import { applyScriptRequest, requestForScript } from './script-request.ts';

/** A run up to the moment where its request goes out. */
export interface Prepared {
  /** The run as it was asked for. */
  original: HttpRun;
  /** The run with its request as scripts and templates made it. */
  run: HttpRun;
  built: { request: HttpRequest; failure?: undefined } | { failure: RunFailure };
  templates: TemplateRun;
  setupLog: JobLog;
  errors: readonly FailedScript[];
  context: ScriptContext | null;
  env: Record<string, string>;
  /** Variables as each setup script left them. */
  setupEnvs: readonly Record<string, string>[];
}

/** Runs the setup scripts, fills in the templates and builds the request (specification 1.1). */
export async function prepare(
  run: HttpRun,
  scripts: ScriptRunner | null,
  endsAt: number,
): Promise<Prepared> {
  const { scope } = run.request;
  const context = scope && scripts ? contextOf(run, scope, scripts, endsAt) : null;
  const setup = await runSetup(run.ask, scope, context);
  const templates = new TemplateRun(setup.env);
  const base = { ...setup, original: run, templates, context };
  const [broken] = setup.errors;
  if (broken) return { ...base, run, built: { failure: scriptFailure(broken) } };
  if (context && !setup.setupLog.isEmpty && performance.now() >= endsAt) {
    return { ...base, run, built: { failure: NO_TIME_LEFT } };
  }
  const ask = renderRequest(setup.ask, templates);
  const built = templates.failure ? { failure: templates.failure } : buildRequest(ask);
  return { ...base, run: { ...run, ask }, built };
}

/** A request without time would end in a timeout that looks like the target's. */
const NO_TIME_LEFT: RunFailure = {
  cause: 'SCRIPT',
  message: 'The setup scripts took all the time that the run has',
};

function contextOf(
  { request }: HttpRun,
  scope: RunVariables,
  scripts: ScriptRunner,
  endsAt: number,
): ScriptContext {
  return { scope, scripts, endsAt, deniedRanges: request.deniedRanges };
}

interface Setup {
  ask: HttpCheckRequest;
  env: Record<string, string>;
  setupLog: JobLog;
  errors: readonly FailedScript[];
  setupEnvs: readonly Record<string, string>[];
}

async function runSetup(
  ask: HttpCheckRequest,
  scope: RunVariables | undefined,
  context: ScriptContext | null,
): Promise<Setup> {
  const env = { ...scope?.builtIns, ...scope?.variables };
  if (!context || context.scope.setup.length === 0) {
    return { ask, env, setupLog: new JobLog(), errors: [], setupEnvs: [] };
  }
  const before = requestForScript(ask);
  const start = { request: before, response: null, env: withUrl(env, before) };
  const { state, envs, errors, log } = await runScripts('setup', start, context);
  return {
    ask: applyScriptRequest(ask, before, state.request),
    env: state.env,
    setupLog: log,
    errors,
    setupEnvs: envs,
  };
}

/** `REQUEST_URL` is one of the built-in variables of scripts. */
function withUrl(env: Record<string, string>, { url }: ScriptRequest): Record<string, string> {
  return { REQUEST_URL: url, ...env };
}

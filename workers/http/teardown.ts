import type { ScriptRequest, ScriptResponse } from '#shared/sandbox/script.ts';
import { JobLog } from '../net/job-log.ts';
import { bodyText } from './body-text.ts';
import type { HttpResponse } from './exchange.ts';
import type { Prepared } from './prepare.ts';
import { fieldsOf, type HttpRequest } from './request.ts';
import { type FailedScript, runScripts } from './script-phase.ts';
import { type TimingPhases, timingsOf } from './timings.ts';

/** A response with its body decoded. */
export interface ReadResponse {
  response: HttpResponse;
  body: Buffer;
  /** What tells how to read the body; differs from the header only where a script wrote the body. */
  bodyType: string | undefined;
}

export interface TornDown extends ReadResponse {
  errors: readonly FailedScript[];
  log: JobLog;
  env: Record<string, string>;
  /** Variables as each of the scripts left them. */
  envs: readonly Record<string, string>[];
  /** Whether the result must not show the response: a script may have wanted to hide any of it. */
  isResponseUnread: boolean;
}

/** Whether a run has scripts that look at its response. */
export function hasTeardown({ context }: Pick<Prepared, 'context'>): boolean {
  return context !== null && context.scope.teardown.length > 0;
}

/** Runs the teardown scripts: what they leave of the response is asserted and kept (1.1). */
export async function tearDown(
  prepared: Prepared,
  sent: HttpRequest,
  read: ReadResponse,
  phases: TimingPhases,
): Promise<TornDown> {
  const { context, env } = prepared;
  if (!context || !hasTeardown(prepared)) {
    return { ...read, errors: [], log: new JobLog(), env, envs: [], isResponseUnread: false };
  }
  const before = responseForScript(read, phases);
  const start = { request: sentForScript(prepared, sent), response: before, env };
  const { state, envs, errors, log, isResponseUnread } = await runScripts(
    'teardown',
    start,
    context,
  );
  const after = applyScriptResponse(read, before, state.response ?? before);
  if (isResponseUnread) log.add('WARN', UNREAD);
  return { ...after, errors, log, env: state.env, envs, isResponseUnread };
}

const UNREAD =
  'The result does not show the response: what the script would have hidden of it is not known';

/** The request as it went out. */
function sentForScript({ run }: Prepared, sent: HttpRequest): ScriptRequest {
  return {
    method: sent.method,
    url: sent.url.href,
    body: sent.body,
    headers: Object.fromEntries(fieldsOf(sent)),
    queryParameters: Object.fromEntries(
      run.ask.queryParameters.map((item) => [item.key, item.value]),
    ),
  };
}

function responseForScript(
  { response, body, bodyType }: ReadResponse,
  phases: TimingPhases,
): ScriptResponse {
  return {
    statusCode: response.status,
    statusText: response.statusText,
    body: bodyText(body, bodyType),
    headers: { ...response.headers },
    timings: { ...timingsOf(phases) },
    timingPhases: { ...phases },
  };
}

const WRITTEN_TEXT = 'text/plain; charset=utf-8';

function applyScriptResponse(
  read: ReadResponse,
  before: ScriptResponse,
  after: ScriptResponse,
): ReadResponse {
  const headers = Object.fromEntries(
    Object.entries(after.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const response = {
    ...read.response,
    status: after.statusCode,
    statusText: after.statusText,
    headers,
  };
  if (after.body === before.body) return { ...read, response };
  return { response, body: Buffer.from(after.body), bodyType: WRITTEN_TEXT };
}

/**
 * What passes between a runner and the script host: plain data only, it crosses processes
 * (specification 1.1).
 */

/** A script to run, with the name that its errors and log lines show. */
export interface ScriptSource {
  /** `setup script`, `teardown script` or `snippet <name>`; of a group with `group ` before it. */
  name: string;
  code: string;
}

/** The request as scripts see it; in setup every assignment changes what is sent. */
export interface ScriptRequest {
  method: string;
  /** With the query parameters appended. */
  url: string;
  body: string;
  headers: Record<string, string>;
  queryParameters: Record<string, string>;
}

/** The response as teardown scripts see it; what they leave here is asserted and stored. */
export interface ScriptResponse {
  statusCode: number;
  statusText: string;
  body: string;
  headers: Record<string, string>;
  timings: Record<string, number>;
  timingPhases: Record<string, number>;
}

export interface ScriptTask {
  phase: 'setup' | 'teardown';
  source: ScriptSource;
  request: ScriptRequest;
  /** Only in teardown. */
  response: ScriptResponse | null;
  /** `process.env` of the script: the check's variables and the built-in ones. */
  env: Record<string, string>;
  /** Code of the snippets by name, for `require('./snippets/<name>.js')`. */
  snippets: Record<string, string>;
  runtimeId: string;
  /** Milliseconds of wall clock. */
  timeoutMs: number;
  /** CIDR ranges that the operator denies: the script's own HTTP requests keep to them. */
  deniedRanges: readonly string[];
}

/** A line of the job log: `time` in epoch ms. */
export interface ScriptLogLine {
  time: number;
  level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  msg: string;
}

/** Why a script came to nothing. `host`: our own trouble, sets `hasErrors`. */
export interface ScriptError {
  kind: 'syntax' | 'thrown' | 'timeout' | 'memory' | 'too-large' | 'host';
  message: string;
  /** Of the script's own text, from 1; null where it is not known. */
  line: number | null;
  column: number | null;
}

export interface ScriptOutcome {
  error: ScriptError | null;
  /** As the script left it; as it was where that is not known. */
  request: ScriptRequest;
  /** As a teardown script left it; null where that is not known, and in setup. */
  response: ScriptResponse | null;
  env: Record<string, string>;
  log: ScriptLogLine[];
  durationMs: number;
}

/** Whatever runs scripts. Never rejects: trouble of its own is an error of kind `host`. */
export interface ScriptRunner {
  run(task: ScriptTask): Promise<ScriptOutcome>;
  close(): Promise<void>;
}

/** Milliseconds that one script may take, and bytes of a script and of what it exchanges. */
export const SCRIPT_TIMEOUT_MS = 10_000;
export const SCRIPT_BYTES = 256 * 1024;

/** Headers, or query parameters, of one message: each costs the thread that measures as much as many bytes. */
export const MAX_SCRIPT_FIELDS = 1_000;
/** The account may have 1,000 variables, a group and a check 50 each of 65,000 characters. */
const MAX_ENV_NAMES = 2_000;
const MAX_ENV_CHARS = 8 * 1024 * 1024;

/** The bounds of an exchange in words, to stand after what it is that is too large. */
export const EXCHANGE_LIMITS = `${SCRIPT_BYTES / 1024} KB each, with ${MAX_SCRIPT_FIELDS} headers or parameters, and ${MAX_ENV_NAMES} variables`;

type Exchange = Pick<ScriptTask, 'request' | 'response' | 'env'>;

/**
 * Whether the request, the response or the variables are more than a script may be given or leave.
 *
 * @param byteLength of a text in UTF-8, which is Node's to tell
 */
export function isExchangeTooLarge(
  { request, response, env }: Exchange,
  byteLength: (text: string) => number,
): boolean {
  const { headers, queryParameters } = request;
  const records = [headers, queryParameters, response?.headers ?? {}];
  return (
    records.some((record) => fieldsOf(record) > MAX_SCRIPT_FIELDS) ||
    fieldsOf(env) > MAX_ENV_NAMES ||
    charsOf(env) > MAX_ENV_CHARS ||
    areMessagesTooLarge({ request, response }, byteLength)
  );
}

function fieldsOf(record: Record<string, string>): number {
  return Object.keys(record).length;
}

/** The characters of all names and values. */
export function charsOf(record: Record<string, string>): number {
  return Object.entries(record).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}

function areMessagesTooLarge(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  byteLength: (text: string) => number,
): boolean {
  const { method, url, queryParameters } = request;
  const parts = [
    [method, url, ...Object.entries(queryParameters).flat(), ...messageTexts(request)],
  ];
  if (response !== null) parts.push([response.statusText, ...messageTexts(response)]);
  return parts.some(
    (texts) => texts.reduce((sum, text) => sum + byteLength(text), 0) > SCRIPT_BYTES,
  );
}

function messageTexts({ body, headers }: Pick<ScriptRequest, 'body' | 'headers'>): string[] {
  return [body, ...Object.entries(headers).flat()];
}

/** Characters of all snippets that the scripts of a run may require. */
export const MAX_SNIPPETS_CHARS = 1024 * 1024;

/** What the scripts and templates of a run may read; made by the appliance for every run. */
export interface RunVariables {
  /** The variables of check, group and account merged, the inner one winning; plain text. */
  variables: Record<string, string>;
  /** `CHECK_ID`, `REGION` and the other built-in variables. */
  builtIns: Record<string, string>;
  setup: readonly ScriptSource[];
  teardown: readonly ScriptSource[];
  snippets: Record<string, string>;
  runtimeId: string;
}

import {
  isExchangeTooLarge,
  SCRIPT_BYTES,
  type ScriptError,
  type ScriptOutcome,
  type ScriptResponse,
  type ScriptTask,
} from '#shared/run/script.ts';
import {
  MAX_CALL_CHARS,
  MAX_SCRIPT_BODY_BYTES,
  type ScriptHttpRequest,
} from '#shared/run/script-host.ts';
import { positionInStack, snippetInStack } from './positions.ts';
import { Refusal } from './refusal.ts';

type Part = Pick<ScriptOutcome, 'error' | 'request' | 'response' | 'env'>;

/** The end of a script that left nothing that can be read: of the response, nothing is known. */
export function asGiven({ request, env }: ScriptTask, error: ScriptError | null): Part {
  return { error, request, response: null, env };
}

/** The error of a script of which no place is known. */
export function errorOf(kind: ScriptError['kind'], message: string): ScriptError {
  return { kind, message, line: null, column: null };
}

export function outOfMemory(): ScriptError {
  return errorOf('memory', 'The script used more memory than it may');
}

export function tooLarge(): ScriptError {
  const message = `The request and the response may take ${SCRIPT_BYTES / 1024} KB each after a script`;
  return errorOf('too-large', message);
}

/**
 * What a realm told at its end. Its text was written beside somebody else's code, so every member
 * is looked at as what comes from outside.
 */
export function readTold(text: string, task: ScriptTask): Part {
  const told = objectOf(JSON.parse(text));
  const thrown = told.error === null ? null : errorFrom(objectOf(told.error), task);
  const request = told.request === null ? task.request : requestFrom(objectOf(told.request));
  const { response, problem } = responseAfter(told.response, task.response);
  const error = thrown ?? problem;
  if (isExchangeTooLarge({ request, response }, Buffer.byteLength))
    return asGiven(task, error ?? tooLarge());
  const env = told.env === null ? task.env : textsFrom(told.env);
  return { error, request, response, env };
}

/** The HTTP request that a realm asks for. Throws {@link Refusal} for one that may not be made. */
export function readRequest(text: string): ScriptHttpRequest {
  if (text.length > MAX_CALL_CHARS) throw tooLargeRequest();
  const told = text.startsWith('{') ? objectOf(JSON.parse(text)) : {};
  const body = textFrom(told.body);
  if (Buffer.byteLength(body) > MAX_SCRIPT_BODY_BYTES) throw tooLargeRequest();
  const headers = textsFrom(told.headers);
  const followRedirects = told.followRedirects !== false;
  return { method: textFrom(told.method), url: textFrom(told.url), headers, body, followRedirects };
}

function tooLargeRequest(): Refusal {
  const megabytes = MAX_SCRIPT_BODY_BYTES / 1024 / 1024;
  return new Refusal(`The body of a request may take ${megabytes} MB at most`);
}

function errorFrom(told: Record<string, unknown>, task: ScriptTask): ScriptError {
  if (told.kind === 'too-large') return tooLarge();
  const stack = textFrom(told.stack);
  const { name: file } = task.source;
  const within = snippetInStack(stack, file);
  const place = within ? ` (in snippet "${within.name}", line ${within.line})` : '';
  const message = `${textFrom(told.message)}${place}`;
  return { kind: 'thrown', message, ...positionInStack(stack, file) };
}

function requestFrom(told: Record<string, unknown>) {
  return {
    method: textFrom(told.method),
    url: textFrom(told.url),
    body: textFrom(told.body),
    headers: textsFrom(told.headers),
    queryParameters: textsFrom(told.queryParameters),
  };
}

/**
 * The response as the script left it. A status that is none stays as it was: what the script scrubbed
 * from the body must not come back for its sake.
 */
function responseAfter(
  told: unknown,
  before: ScriptResponse | null,
): { response: ScriptResponse | null; problem: ScriptError | null } {
  if (told === null || before === null) return { response: null, problem: null };
  const left = objectOf(told);
  const { statusCode } = left;
  const rest = { ...before, ...responseFrom(left) };
  if (isStatus(statusCode)) return { response: { ...rest, statusCode }, problem: null };
  return { response: rest, problem: errorOf('thrown', NO_STATUS) };
}

const NO_STATUS = 'TypeError: response.statusCode must be a whole number from 100 to 999';

/** Three digits (RFC 9110 15). */
function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999;
}

function responseFrom(told: Record<string, unknown>) {
  return {
    statusText: textFrom(told.statusText),
    body: textFrom(told.body),
    headers: textsFrom(told.headers),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textFrom(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsFrom(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([k, v]) => [k, textFrom(v)]));
}

import { isStructureBounded } from '#shared/sandbox/json-structure.ts';
import {
  charsOf,
  EXCHANGE_LIMITS,
  isExchangeTooLarge,
  MAX_SCRIPT_FIELDS,
  type ScriptError,
  type ScriptOutcome,
  type ScriptResponse,
  type ScriptTask,
} from '#shared/sandbox/script.ts';
import {
  MAX_CALL_CHARS,
  MAX_SCRIPT_BODY_BYTES,
  MAX_SCRIPT_HEADER_CHARS,
  MAX_SCRIPT_METHOD_CHARS,
  MAX_SCRIPT_URL_CHARS,
  MAX_STRUCTURE_CHARS,
  type ScriptHttpRequest,
} from '#shared/sandbox/script-host.ts';
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
  const message = `The request and the response may take ${EXCHANGE_LIMITS} after a script`;
  return errorOf('too-large', message);
}

/**
 * What a realm told at its end. Its text was written beside somebody else's code, so every member
 * is looked at as what comes from outside.
 */
export function readOutcome(text: string, task: ScriptTask): Part {
  if (!isStructureBounded(text, MAX_STRUCTURE_CHARS)) return asGiven(task, tooLarge());
  const told = objectOf(JSON.parse(text));
  const thrown = told.error === null ? null : errorFrom(objectOf(told.error), task);
  const request = told.request === null ? task.request : requestFrom(objectOf(told.request));
  const { response, problem } = responseAfter(told.response, task.response);
  const error = thrown ?? problem;
  const env = told.env === null ? task.env : textsFrom(told.env);
  if (isExchangeTooLarge({ request, response, env }, Buffer.byteLength))
    return asGiven(task, error ?? tooLarge());
  return { error, request, response, env };
}

/** The HTTP request that a realm asks for. Throws {@link Refusal} for one that may not be made. */
export function readRequest(text: string): ScriptHttpRequest {
  if (text.length > MAX_CALL_CHARS) throw tooLargeRequest();
  if (!isStructureBounded(text, MAX_STRUCTURE_CHARS)) throw tooManyHeaders();
  const told = text.startsWith('{') ? objectOf(JSON.parse(text)) : {};
  const body = textFrom(told.body);
  if (Buffer.byteLength(body) > MAX_SCRIPT_BODY_BYTES) throw tooLargeRequest();
  const headers = textsFrom(told.headers);
  if (Object.keys(headers).length > MAX_SCRIPT_FIELDS) throw tooManyHeaders();
  if (charsOf(headers) > MAX_SCRIPT_HEADER_CHARS) throw tooManyHeaders();
  const url = textFrom(told.url);
  if (url.length > MAX_SCRIPT_URL_CHARS) throw tooLongUrl();
  const method = textFrom(told.method);
  if (method.length > MAX_SCRIPT_METHOD_CHARS) throw new Refusal('The method is not one of HTTP');
  const followRedirects = told.followRedirects !== false;
  return { method, url, headers, body, followRedirects };
}

function tooManyHeaders(): Refusal {
  const kilobytes = MAX_SCRIPT_HEADER_CHARS / 1024;
  return new Refusal(
    `A request may have ${MAX_SCRIPT_FIELDS} headers at most, of ${kilobytes} KB together`,
  );
}

function tooLongUrl(): Refusal {
  return new Refusal(`The URL of a request may take ${MAX_SCRIPT_URL_CHARS / 1024} KB at most`);
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

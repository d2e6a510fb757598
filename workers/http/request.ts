import type { RunFailure } from '#shared/runs/protocol.ts';
import type { IpFamily } from '../net/resolve.ts';
import { type HeaderField, headerProblem, requestHeaders } from './request-headers.ts';

/** A header or query parameter of a check. */
export type KeyValue = { key: string; value: string; locked: boolean };
type BodyType = 'JSON' | 'FORM' | 'RAW' | 'GRAPHQL' | 'NONE';

/** What an API or URL check asks for, in the members that both have. */
export interface HttpCheckRequest {
  method: string;
  url: string;
  followRedirects: boolean;
  skipSSL: boolean;
  ipFamily: IpFamily;
  bodyType: BodyType;
  body: string;
  headers: readonly KeyValue[];
  queryParameters: readonly KeyValue[];
  basicAuth?: { username: string; password: string } | null | undefined;
}

/** One request as it goes over the wire. */
export interface HttpRequest {
  method: string;
  /** Without credentials and fragment. */
  url: URL;
  headers: readonly HeaderField[];
  /** Empty for none. */
  body: string;
}

/** All header fields as they are sent: Host, which changes with the URL, and the others. */
export function fieldsOf({ url, headers }: HttpRequest): readonly HeaderField[] {
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host');
  return hasHost ? headers : [['host', url.host], ...headers];
}

/** A request, or why there can be none: always INVALID_TARGET. */
export type BuiltRequest =
  | { request: HttpRequest; failure?: undefined }
  | { failure: RunFailure; request?: undefined };

/**
 * Builds the first request of a check. What could split or redirect it (control
 * characters in the URL or a header, a left template) is a failure, never sent.
 */
export function buildRequest(check: HttpCheckRequest): BuiltRequest {
  if (!METHOD.test(check.method)) return invalid('The method is not one of HTTP');
  const url = targetUrl(check);
  if (typeof url === 'string') return invalid(url);
  const body = bodyOf(check);
  const headers = requestHeaders({
    method: check.method,
    own: check.headers.map(({ key, value }): HeaderField => [key, value]),
    credentials: credentialsOf(check, url),
    contentType: body === '' ? null : CONTENT_TYPES[check.bodyType],
    bodyBytes: Buffer.byteLength(body),
  });
  const problem = headerProblem(headers);
  if (problem !== null) return invalid(problem);
  strip(url);
  return { request: { method: check.method, url, headers, body } };
}

/** A token (RFC 9110 9.1): a script may set any, and none may split the request. */
const METHOD = /^(?!CONNECT$)[A-Z-]{1,20}$/;

/**
 * Takes off a URL what does not go over the wire: credentials and fragment. Only where they are
 * there, because every setter parses the URL anew.
 */
export function strip(url: URL): void {
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  if (url.hash !== '') url.hash = '';
}

const CONTENT_TYPES = {
  JSON: 'application/json',
  GRAPHQL: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
  RAW: null,
  NONE: null,
} as const satisfies { [T in BodyType]: string | null };

function invalid(message: string): BuiltRequest {
  return { failure: { cause: 'INVALID_TARGET', message } };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The URL with the query parameters appended, or what is wrong with it. */
function targetUrl({ url: text, queryParameters }: HttpCheckRequest): URL | string {
  if (CONTROL.test(text)) return 'The URL contains a control character';
  if (text.includes('{{')) return `The URL contains an unresolved template: ${text}`;
  const url = URL.parse(text);
  if (url === null) return `Not a URL: ${text}`;
  if (!isHttp(url)) return `Only http and https URLs can be checked, not ${url.protocol}`;
  if (queryParameters.length > 0) {
    const appended = queryParameters.map(
      ({ key, value }) =>
        `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
    );
    // Appended as text: going through searchParams would write the user's own query anew.
    url.search = [url.search.slice(1), ...appended].filter((part) => part !== '').join('&');
  }
  return url;
}

export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/**
 * The text to send: none for NONE. A GRAPHQL body that is not yet the JSON envelope of a GraphQL
 * request is put into one, so that a plain query works.
 */
function bodyOf({ bodyType, body }: HttpCheckRequest): string {
  if (bodyType === 'NONE') return '';
  if (bodyType === 'GRAPHQL' && body !== '' && !isGraphqlEnvelope(body)) {
    return JSON.stringify({ query: body });
  }
  return body;
}

function isGraphqlEnvelope(body: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** `basicAuth` first, else what the URL itself carries. Empty strings are none (clients-need). */
function credentialsOf({ basicAuth }: HttpCheckRequest, url: URL): string | null {
  if (basicAuth && (basicAuth.username !== '' || basicAuth.password !== '')) {
    return `${basicAuth.username}:${basicAuth.password}`;
  }
  if (url.username === '' && url.password === '') return null;
  return `${decodeUserInfo(url.username)}:${decodeUserInfo(url.password)}`;
}

/** The text of a user or password in a URL. A percent sign that starts no escape is one. */
export function decodeUserInfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

import type { RunFailure } from '#shared/runs/protocol.ts';
import { SECRET_HEADERS } from '../masking/secret-headers.ts';
import { type HttpRequest, isHttp, strip } from './request.ts';
import type { HeaderField } from './request-headers.ts';
import type { ResponseHead } from './response-head.ts';

/** Most redirects that one run follows. */
export const MAX_REDIRECTS = 10;

const TO_GET: readonly number[] = [301, 302, 303];
const KEEPING: readonly number[] = [307, 308];

/** Header fields that describe a body. */
const OF_BODY: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
]);

/** The next request, null where the response is the last one, or why the way ends. */
export type Redirection =
  | { request: HttpRequest; failure?: undefined }
  | { failure: RunFailure; request?: undefined }
  | null;

/**
 * Where a response sends a request (RFC 9110 15.4): 301, 302 and 303 ask with GET (HEAD stays
 * HEAD), 307 and 308 repeat method and body. What is secret does not follow to another origin.
 *
 * @param isSecret whether a header field is for the first origin's eyes only, beside those that
 *   always are
 */
export function redirectionOf(
  request: HttpRequest,
  response: ResponseHead,
  isSecret: (field: HeaderField) => boolean,
): Redirection {
  const location = response.headers.location;
  const toGet = TO_GET.includes(response.status);
  if (location === undefined || !(toGet || KEEPING.includes(response.status))) return null;
  // Header bytes are UTF-8 in practice, and URL takes text.
  const url = URL.parse(Buffer.from(location, 'latin1').toString(), request.url.href);
  if (url === null) {
    return { failure: { cause: 'PROTOCOL_ERROR', message: 'The redirect leads to no URL' } };
  }
  if (!isHttp(url)) {
    const message = `The redirect leads to ${url.protocol}, which is not followed`;
    return { failure: { cause: 'INVALID_TARGET', message } };
  }
  strip(url);
  const next = toGet && request.method !== 'HEAD' ? asGet(request) : request;
  return { request: { ...next, url, headers: headersFor(url, next, isSecret) } };
}

function asGet(request: HttpRequest): HttpRequest {
  const headers = request.headers.filter(([name]) => !OF_BODY.has(name.toLowerCase()));
  return { ...request, method: 'GET', body: '', headers };
}

function headersFor(
  url: URL,
  { url: from, headers }: HttpRequest,
  isSecret: (field: HeaderField) => boolean,
): HttpRequest['headers'] {
  if (url.origin === from.origin) return headers;
  return headers.filter((field) => {
    const name = field[0].toLowerCase();
    return name !== 'host' && !SECRET_HEADERS.has(name) && !isSecret(field);
  });
}

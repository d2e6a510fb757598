import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import type { ErrorStatus } from '#shared/api/errors.ts';
import { ApiError } from '../api-error.ts';

const JSON_WORDS = 'JSON, with the header content-type: application/json';
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

/**
 * Reads a JSON body into `request.body`; a request without a body leaves it undefined. gzip,
 * deflate, br and zstd are inflated, and the limit bounds what comes out of them. 415 for another
 * type or charset, 413 above the limit or of too many values, 400 for what is not JSON.
 */
export function readBody(limitBytes: number): RequestHandler[] {
  const parse = express.json({ limit: limitBytes, type: () => true, strict: true, verify });
  return [refuseOtherTypes(JSON_TYPE, JSON_WORDS), refuseLength(limitBytes), parse];
}

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;
/** The forms of pages have a few short fields. */
const FORM_LIMIT_BYTES = 16 * 1024;

/** Reads the fields of a form into `request.body`; 415 for another type, 413 above 16 KiB. */
export function readForm(): RequestHandler[] {
  const parse = express.urlencoded({
    extended: false,
    limit: FORM_LIMIT_BYTES,
    parameterLimit: 20,
  });
  return [refuseOtherTypes(FORM_TYPE, 'of a form'), refuseLength(FORM_LIMIT_BYTES), parse];
}

const BYTES_TYPE = /^application\/octet-stream *(?:;|$)/i;
/** Lets bytes through unread, for the handler to read; 415 for another type. */
export const acceptUpload = refuseOtherTypes(
  BYTES_TYPE,
  'bytes, with the header content-type: application/octet-stream',
);

function refuseOtherTypes(type: RegExp, expected: string): RequestHandler {
  return (request, _response, next) => {
    const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
    const hasBody = chunked !== undefined || (length !== undefined && length !== '0');
    if (hasBody && !type.test(request.headers['content-type'] ?? '')) {
      throw new ApiError(415, `The body must be ${expected}`);
    }
    next();
  };
}

/** Refuses by `Content-Length` at once: the parser would first read the whole body. */
function refuseLength(limitBytes: number): RequestHandler {
  return (request, _response, next) => {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
      throw new ApiError(413, 'The body is larger than this server takes');
    }
    next();
  };
}

/**
 * Parsing costs by the value: 5 MiB of brackets would hold up every run for most of a second. The
 * longest list that a body may have is one of 10,000 ids.
 */
const MAX_VALUES = 20_000;

function verify(_request: unknown, _response: unknown, body: Buffer, charset: string): void {
  // In UTF-16 a byte that is no quote could hide values from their count; bytes that are no text at
  // all would be kept as question marks.
  if (charset !== 'utf-8' || !isUtf8(body)) throw new BodyRefused(415, 'charset.unsupported');
  if (hasMoreValues(body, MAX_VALUES)) throw new BodyRefused(413, 'values.too.many');
}

/** The body parser hangs the body on the error: hence no ApiError, which has a `body` of its own. */
class BodyRefused extends Error {
  readonly status: ErrorStatus;
  readonly type: string;

  constructor(status: ErrorStatus, type: string) {
    super(type);
    this.status = status;
    this.type = type;
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

/** Whether JSON text has more values than `max`: each follows a comma or opens a list or object. */
function hasMoreValues(body: Buffer, max: number): boolean {
  let count = 0;
  let isText = false;
  for (let index = 0; index < body.length && count <= max; index++) {
    const byte = body[index];
    if (byte === QUOTE) isText = !isText;
    else if (isText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  }
  return count > max;
}

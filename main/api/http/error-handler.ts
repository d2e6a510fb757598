import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { StoreBusy } from '#main/monitoring/monitor-port.ts';
import {
  notFound,
  ServiceError,
  type ServiceErrorCode,
  type SourceProblems,
} from '#main/services/service-error.ts';
import { TooManySessions } from '#main/sessions/sessions-port.ts';
import { documentHeaders } from '#main/status-pages/html/frame.ts';
import { errorPage } from '#main/status-pages/html/message-page.ts';
import { STORE_TROUBLE, StoreError } from '#main/store/store-error.ts';
import { type ErrorStatus, isErrorStatus } from '#shared/api/errors.ts';
import { ApiError } from '../api-error.ts';
import type { ApiLog } from '../options.ts';

/** 404 for a path that no operation has. */
export const unknownRoute: RequestHandler = (request) => {
  throw notFound(`There is nothing at ${request.path.slice(0, 200)}`);
};

/** Turns whatever was thrown into an error body; what is our own fault is logged, never shown. */
export function answerErrors(log: ApiLog): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const answer = toApiError(error);
    if (answer.status >= 500) {
      log.error({ err: error, method: request.method, path: request.path }, 'A request failed');
    }
    // An answer that has begun is cut off, so that the client sees that it is not complete.
    if (response.headersSent) return void request.socket.destroy();
    response.set({ 'cache-control': 'no-store', ...answer.headers }).status(answer.status);
    if (isForReaders(request)) sendErrorPage(request, response, answer);
    else response.json(answer.body());
  };
}

/** People see a page where they asked for a page; programs see JSON everywhere. */
function isForReaders(request: Request): boolean {
  return /^\/status(?:\/|$)/i.test(request.path) && request.accepts('json', 'html') === 'html';
}

function sendErrorPage(request: Request, response: Response, { status, message }: ApiError): void {
  const isOwnDomain = request.url !== request.originalUrl;
  const page = errorPage(status, message, isOwnDomain ? '/' : '/status/');
  response.set(documentHeaders()).type('html').send(page.text);
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ServiceError) return refusal(error);
  if (error instanceof StoreBusy) return unavailable(error.message, error);
  if (error instanceof TooManySessions) {
    return new ApiError(429, error.message, { cause: error, headers: { 'retry-after': '5' } });
  }
  if (error instanceof StoreError && STORE_TROUBLE[error.code].passes) {
    return unavailable(troubleOf(error), error);
  }
  if (isHttpError(error) && isErrorStatus(error.status) && error.status < 500) {
    return new ApiError(error.status, wordsFor(error), { cause: error });
  }
  return new ApiError(500, 'Something went wrong on our side', { cause: error });
}

/** What each refusal of a service is answered with. */
export const STATUSES = {
  NOT_FOUND: 404,
  INVALID: 400,
  TOO_LARGE: 413,
  CONFLICT: 409,
  TOO_MANY: 429,
  TIMED_OUT: 408,
  UNAVAILABLE: 503,
} as const satisfies { [K in ServiceErrorCode]: ErrorStatus };

/** What a service refused; a 400 names the bad members of every part. */
function refusal(error: ServiceError): ApiError {
  const [own, ...others] = error.parts.map(keysOf);
  const validation = own && { ...own, ...(others.length > 0 && { others }) };
  const { retryAfterMs } = error;
  return new ApiError(STATUSES[error.code], error.message, {
    cause: error,
    validation,
    ...(retryAfterMs !== undefined && {
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
    }),
  });
}

function keysOf({ source, problems }: SourceProblems) {
  return { source, keys: [...new Set(problems.map(({ path }) => path))] };
}

/** The message does not claim that nothing changed: some writes of the request may have succeeded. */
function troubleOf({ code }: StoreError): string {
  return `The store cannot do this now: ${STORE_TROUBLE[code].words}`;
}

function unavailable(message: string, cause: Error): ApiError {
  return new ApiError(503, message, { cause, headers: { 'retry-after': '5' } });
}

/** What Express and its body parser throw. */
interface HttpError {
  status: unknown;
  type?: string;
}

function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && 'status' in error;
}

function wordsFor(error: HttpError): string {
  if (error instanceof URIError) return 'path: expected percent-encoded UTF-8';
  // What fails to be inflated has no type: each encoding has codes of its own.
  return BODY_ERRORS[error.type ?? ''] ?? 'The body is not in the encoding that its header names';
}

const BODY_ERRORS: Record<string, string> = {
  'entity.parse.failed': 'body: expected a JSON object',
  'entity.too.large': 'The body is larger than this server takes',
  'values.too.many': 'The body has more values than this server takes',
  'encoding.unsupported': 'The body has an encoding other than gzip, deflate, br and zstd',
  'charset.unsupported': 'The body must be in UTF-8',
  'request.size.invalid': 'The body is shorter or longer than content-length says',
  'request.aborted': 'The request was cut off',
};

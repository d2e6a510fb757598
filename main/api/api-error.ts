import {
  ERROR_PHRASES,
  type ErrorBody,
  type ErrorStatus,
  type InputSource,
} from '#shared/api/errors.ts';
import type { Problem } from '#shared/api/problems.ts';

/** An answer of status 400 or more. Thrown anywhere below a route; its message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ErrorStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly validation: ErrorBody['validation'];

  constructor(status: ErrorStatus, message: string, extra: ErrorExtra = {}) {
    super(message, { cause: extra.cause });
    this.status = status;
    this.headers = extra.headers ?? {};
    this.validation = extra.validation;
  }

  body(): ErrorBody {
    return {
      statusCode: this.status,
      error: ERROR_PHRASES[this.status],
      message: this.message,
      ...(this.validation && { validation: this.validation }),
    };
  }
}

interface ErrorExtra {
  cause?: unknown;
  headers?: Record<string, string>;
  validation?: ErrorBody['validation'];
}

export function notFound(message: string): ApiError {
  return new ApiError(404, message);
}

/** Problems of one part of a request. */
export interface SourceProblems {
  source: InputSource;
  problems: readonly Problem[];
}

/** A 400 that tells the problems of every part; throws nothing where there are none. */
export function refuseProblems(...parts: SourceProblems[]): void {
  const bad = parts.filter(({ problems }) => problems.length > 0);
  if (bad.length === 0) return;
  const all = bad.flatMap(({ problems }) => problems);
  const [own, ...others] = bad.map(keysOf);
  throw new ApiError(400, all.map(({ path, message }) => `${path}: ${message}`).join('; '), {
    validation: own && { ...own, ...(others.length > 0 && { others }) },
  });
}

function keysOf({ source, problems }: SourceProblems) {
  return { source, keys: [...new Set(problems.map(({ path }) => path))] };
}

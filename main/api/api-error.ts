import { ERROR_PHRASES, type ErrorBody, type ErrorStatus } from '#shared/api/errors.ts';

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

import type { InputSource } from '#shared/api/errors.ts';
import type { Problem } from '#shared/api/problems.ts';

/**
 * Why a service refused, as a closed set:
 * - `NOT_FOUND`: nothing has that id.
 * - `INVALID`: members of the input are not what was expected; `parts` names each.
 * - `TOO_LARGE`: the input has more bytes than may be.
 * - `CONFLICT`: what is there already stands against it.
 * - `TOO_MANY`: too much was asked for within a short time.
 * - `TIMED_OUT`: it takes longer than the caller may wait; it goes on.
 * - `UNAVAILABLE`: the appliance cannot do it now.
 */
export type ServiceErrorCode =
  | 'NOT_FOUND'
  | 'INVALID'
  | 'TOO_LARGE'
  | 'CONFLICT'
  | 'TOO_MANY'
  | 'TIMED_OUT'
  | 'UNAVAILABLE';

/** Problems of one part of an input. */
export interface SourceProblems {
  source: InputSource;
  problems: readonly Problem[];
}

interface Refusal {
  /** What is wrong where, of `INVALID`. */
  parts?: readonly SourceProblems[];
  /** After how long the same may succeed, where that is known. */
  retryAfterMs?: number;
  cause?: unknown;
}

/** A service refused, and nothing was changed. Its message is for people. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly parts: readonly SourceProblems[];
  readonly retryAfterMs: number | undefined;

  constructor(code: ServiceErrorCode, message: string, refusal: Refusal = {}) {
    const { parts = [], retryAfterMs, cause } = refusal;
    super(message, { cause });
    this.code = code;
    this.parts = parts;
    this.retryAfterMs = retryAfterMs;
  }
}

export function notFound(message: string): ServiceError {
  return new ServiceError('NOT_FOUND', message);
}

export function conflict(message: string): ServiceError {
  return new ServiceError('CONFLICT', message);
}

export function tooMany(message: string, retryAfterMs: number): ServiceError {
  return new ServiceError('TOO_MANY', message, { retryAfterMs });
}

/** Of an input with these problems, of which there is one at least. */
export function invalid(...parts: SourceProblems[]): ServiceError {
  const all = parts.flatMap(({ problems }) => problems);
  const message = all.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
  return new ServiceError('INVALID', message, { parts });
}

/** Refuses an input with the problems of every part; throws nothing where there are none. */
export function refuseProblems(...parts: SourceProblems[]): void {
  const bad = parts.filter(({ problems }) => problems.length > 0);
  if (bad.length > 0) throw invalid(...bad);
}

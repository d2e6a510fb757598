import type { InputSource } from '#shared/api/errors.ts';
import type { Problem } from '#shared/api/problems.ts';

/**
 * Why a service refused, as a closed set:
 * - `NOT_FOUND`: nothing has that id.
 * - `INVALID`: members of the input are not what was expected; `parts` names each.
 * - `CONFLICT`: what is there already stands against it.
 */
export type ServiceErrorCode = 'NOT_FOUND' | 'INVALID' | 'CONFLICT';

/** Problems of one part of an input. */
export interface SourceProblems {
  source: InputSource;
  problems: readonly Problem[];
}

/** A service refused, and nothing was changed. Its message is for people. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** What is wrong where, of `INVALID`. */
  readonly parts: readonly SourceProblems[];

  constructor(code: ServiceErrorCode, message: string, parts: readonly SourceProblems[] = []) {
    super(message);
    this.code = code;
    this.parts = parts;
  }
}

export function notFound(message: string): ServiceError {
  return new ServiceError('NOT_FOUND', message);
}

export function conflict(message: string): ServiceError {
  return new ServiceError('CONFLICT', message);
}

/** Refuses an input with the problems of every part; throws nothing where there are none. */
export function refuseProblems(...parts: SourceProblems[]): void {
  const bad = parts.filter(({ problems }) => problems.length > 0);
  if (bad.length === 0) return;
  const all = bad.flatMap(({ problems }) => problems);
  const message = all.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
  throw new ServiceError('INVALID', message, bad);
}

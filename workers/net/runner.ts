import type { CheckOf } from '#shared/checks/check.ts';
import type { RunnableCheckType } from '#shared/checks/enums.ts';
import type {
  NetworkCheckMember,
  RUNNER_POOLS,
  RunRequest,
  RunResult,
} from '#shared/runs/protocol.ts';

/** A run of one check type. */
export type RunRequestOf<T extends RunnableCheckType> = Omit<RunRequest, 'check'> & {
  check: (typeof RUNNER_POOLS)[T] extends 'network'
    ? Pick<CheckOf<T>, NetworkCheckMember & keyof CheckOf<T>>
    : CheckOf<T>;
};

/**
 * Does the work of one check type and measures it. Answers within `timeoutMs` whatever the target
 * does; a target that is down is a result. Throws only for a fault of our own.
 *
 * @param signal aborts once nobody wants the run any more, which matters to those that take minutes
 */
export type Runner<T extends RunnableCheckType> = (
  request: RunRequestOf<T>,
  signal?: AbortSignal,
) => Promise<RunResult>;

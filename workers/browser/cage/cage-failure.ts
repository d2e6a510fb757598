import type { RunFailure } from '#shared/runs/protocol.ts';
import { type CagedEnd, type CagedOptions, DEFAULT_MAX_FOLDER_MB } from './caged.ts';

/** A shell says so of a program that was killed, and so does bubblewrap. */
const KILLED_CODE = 128 + 9;

type Limits = Pick<CagedOptions, 'deadlineMs' | 'memoryMb' | 'maxProcesses' | 'maxFolderMb'>;

/** Why a run failed whose program was killed; null for one that ended by itself, however. */
export function cageFailure({ why, code, signal }: CagedEnd, limits: Limits): RunFailure | null {
  switch (why) {
    case 'deadline':
      return {
        cause: 'TIMEOUT_RUN',
        message: `Your check run has reached the maximum run time of ${limits.deadlineMs} ms.`,
      };
    case 'memory':
      return {
        cause: 'OUT_OF_MEMORY',
        message: `killed: out of memory (limit ${limits.memoryMb} MB)`,
      };
    case 'processes':
      return {
        cause: 'TOO_MANY_PROCESSES',
        message: `killed: too many processes (limit ${limits.maxProcesses})`,
      };
    case 'disk':
      return {
        cause: 'TOO_LARGE',
        message: `killed: too many or too large files (limit ${limits.maxFolderMb ?? DEFAULT_MAX_FOLDER_MB} MB)`,
      };
    case 'output':
      return { cause: 'TOO_LARGE', message: 'killed: it reported more than a run may' };
    case 'killed':
    case 'stopped':
      return { cause: 'RUNNER_LOST', message: 'The run was broken off.' };
    case 'not-started':
      return { cause: 'INTERNAL', message: 'The program of the run could not be started.' };
    case 'exited': {
      const isKilled = signal === 'SIGKILL' || code === KILLED_CODE;
      const message = 'The system killed the run, most likely as this machine is short of memory.';
      return isKilled ? { cause: 'INTERNAL', message } : null;
    }
  }
}

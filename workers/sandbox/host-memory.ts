import { availableParallelism, totalmem } from 'node:os';
import { SCRIPTS_AT_ONCE } from '#shared/sandbox/script-host.ts';

/** What one host may take, and what it may therefore do. */
export interface HostMemory {
  /** Megabytes of the whole process; with more it ends. */
  maxMb: number;
  /** Scripts that it works on at once. */
  atOnce: number;
}

/** What the hosts of all runner threads may take together. */
const SHARE_OF_MACHINE = 1 / 4;
/** Of what the hosts of one thread may take together. */
const SHARES = { main: 1 / 2, slow: 1 / 4, careful: 1 / 4 };
/** Less leaves no room for a script of 64 MB (measured: 150 MB); where a share is smaller, the hosts together take more than theirs. */
const LEAST_MB = 192;
const MOST_MB = 1_536;
/** Measured: an idle host takes 85 to 115 MB, and each of eight that load two libraries 20 more. */
const BASE_MB = 96;
const MB_PER_SCRIPT = 32;

/**
 * What each host of a runner thread may take, so that all hosts of all threads stay within a quarter
 * of the machine's memory.
 */
export function hostMemory(machineMb: number, threads: number) {
  const threadMb = (machineMb * SHARE_OF_MACHINE) / threads;
  const of = (share: number): HostMemory => {
    const maxMb = Math.floor(Math.min(MOST_MB, Math.max(LEAST_MB, threadMb * share)));
    return {
      maxMb,
      atOnce: Math.min(SCRIPTS_AT_ONCE, Math.floor((maxMb - BASE_MB) / MB_PER_SCRIPT)),
    };
  };
  return {
    main: of(SHARES.main),
    slow: of(SHARES.slow),
    careful: { ...of(SHARES.careful), atOnce: 1 },
  };
}

/** The same for this machine, or the container that the process is in, and a runner thread for each core. */
export function ownHostMemory(): ReturnType<typeof hostMemory> {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return hostMemory(bytes / 1024 / 1024, availableParallelism());
}

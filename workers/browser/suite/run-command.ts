import type { RunFailure } from '#shared/runs/protocol.ts';
import { cageFailure } from '../cage/cage-failure.ts';
import type { CagedEnd, CagedOptions } from '../cage/caged.ts';
import type { Cages } from '../cage/cages.ts';
import type { OutputLog } from './output-log.ts';

/** A command of a project, and how far it may go. */
export interface SuiteCommand {
  /** A line for the shell. */
  command: string;
  /** Where it runs: an absolute path in `folder`. */
  workingFolder: string;
  /** Of the run. */
  folder: string;
  env: Readonly<Record<string, string>>;
  readable: readonly string[];
  deadlineMs: number;
  memoryMb: number;
}

export interface EndedCommand {
  /** Null where it was killed. */
  code: number | null;
  /** Why it was broken off; null where it ended by itself. */
  failure: RunFailure | null;
}

/** Processes and threads of one command: several browsers, and what npm starts. */
const MAX_PROCESSES = 1_500;

/** Runs a command in a cage. Resolves once nothing of it is left. */
export async function runCommand(
  cages: Cages,
  { command, workingFolder, deadlineMs, memoryMb, ...opening }: SuiteCommand,
  log: OutputLog,
  signal: AbortSignal,
): Promise<EndedCommand> {
  const limits = { deadlineMs, memoryMb, maxProcesses: MAX_PROCESSES };
  const options: CagedOptions = {
    program: '/bin/sh',
    args: ['-c', 'cd "$1" && eval "$2"', 'sh', workingFolder, command],
    ...opening,
    ...limits,
    // Commands report through files.
    onLine: () => {},
    onLog: (stream, text) => log.add(stream, text),
  };
  const end = await ended(cages, options, signal);
  const { code } = end;
  return { code, failure: cageFailure(end, limits) };
}

async function ended(cages: Cages, options: CagedOptions, signal: AbortSignal): Promise<CagedEnd> {
  const caged = cages.start(options);
  const kill = () => caged.kill();
  signal.addEventListener('abort', kill, { once: true });
  // It may have been cancelled before it could be killed.
  if (signal.aborted) kill();
  try {
    return await caged.ended;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

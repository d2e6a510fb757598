import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A ping program to run. */
export interface Ping {
  program: string;
  args: readonly string[];
  /** Milliseconds that it may take. */
  budgetMs: number;
  environment: NodeJS.ProcessEnv;
}

/** How a ping program ended. */
export interface PingExit {
  stdout: string;
  stderr: string;
  /** Null where a signal ended it. */
  exitCode: number | null;
  /** True where it had not ended by itself in time. */
  stopped: boolean;
}

/** `startError` is the system's error code where it could not be started at all (`ENOENT`, …). */
export type PingEnd = PingExit | { startError: string };

/** Milliseconds between asking ping to finish, which makes it print its statistics, and killing it. */
export const STOP_GRACE_MS = 200;
/** Fifty requests print about 5 KB. */
const MAX_OUTPUT_CHARS = 65_536;
const WINDOWS = process.platform === 'win32';

/** Runs a ping program without a shell, in a process group of its own. */
export function runPing({ program, args, budgetMs, environment }: Ping): Promise<PingEnd> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that whatever it starts is killed with it.
    detached: !WINDOWS,
    windowsHide: true,
    env: environment,
  });
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  return new Promise((resolve) => {
    let stopped = false;
    const finish = (exitCode: number | null) => {
      clearTimeout(stopTimer);
      clearTimeout(killTimer);
      resolve({ stdout: stdout(), stderr: stderr(), exitCode, stopped });
    };
    const stopTimer = setTimeout(
      () => {
        stopped = true;
        signalGroup(child, 'SIGINT');
      },
      Math.max(0, budgetMs - STOP_GRACE_MS),
    );
    const killTimer = setTimeout(() => {
      signalGroup(child, 'SIGKILL');
      finish(null);
    }, budgetMs);
    child.once('close', finish);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(stopTimer);
      clearTimeout(killTimer);
      resolve({ startError: error.code ?? error.name });
    });
  });
}

/** English output, the means to find programs, and nothing else of the appliance's environment. */
export function pingEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  const path = WINDOWS ? PATH : [PATH, '/usr/bin:/bin:/usr/sbin:/sbin'].filter(Boolean).join(':');
  return { PATH: path, LC_ALL: 'C', ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}

function collected(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(0, MAX_OUTPUT_CHARS);
  });
  return () => text;
}

function signalGroup(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (WINDOWS) {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The group may have ended a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

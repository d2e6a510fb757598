import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface RunningProgram {
  process: ChildProcess;
  /** Whole lines of its standard output, as they come. */
  lines: AsyncIterator<string>;
  /** Ends when the process has; its exit code or the signal that ended it. */
  ended: Promise<number | string>;
}

/**
 * Starts a program of this folder's `programs/` in a process of its own, which ends with the test.
 * @param uid the user it runs as; only root may say
 */
export function runProgram(name: string, args: string[], uid?: number): RunningProgram {
  const script = new URL(`./programs/${name}`, import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {
    process: child,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    ended: once(child, 'close').then(([code, signal]) => code ?? signal),
  };
}

/** The next line; throws where there is none. */
export async function nextLine({ lines }: RunningProgram): Promise<string> {
  const { value, done } = await lines.next();
  if (done) throw new Error('The program ended without a further line.');
  return value;
}

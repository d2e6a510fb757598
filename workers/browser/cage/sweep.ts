import { spawn } from 'node:child_process';
import type { ProcessSource } from './processes.ts';

/** Looks, each after the one before it killed somebody: whoever starts processes while it dies. */
const MAX_ROUNDS = 50;
const PAUSE_MS = 20;

/**
 * Kills every process that carries the mark of a folder, and those that it is told of, until none is
 * left. One that took the mark off, left its group and was never seen with the others gets away.
 *
 * @param known more processes of the run
 * @return whether none is left
 */
export async function sweep(
  source: ProcessSource,
  folder: string,
  known: () => Promise<readonly number[]> = async () => [],
): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const marked = await source.ofRun(folder);
    const found = new Set([...marked, ...(await known())]);
    found.delete(process.pid);
    if (found.size === 0) return true;
    for (const pid of found) killIfThere(pid);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

/** Kills a process group; on Windows, which has none, a process and those that it started. */
export function killGroup(leader: number): void {
  if (process.platform !== 'win32') killIfThere(-leader);
  else spawn('taskkill', ['/pid', `${leader}`, '/T', '/F'], { stdio: 'ignore' });
}

/** @param pid negative for a process group */
export function killIfThere(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // EPERM: macOS says so of a group of zombies.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

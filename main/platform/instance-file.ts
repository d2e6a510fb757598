import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Clock } from '#shared/clock.ts';
import type { Log } from './log.ts';

/** How the `watchpost` command reaches the appliance that runs on a folder. */
interface Run {
  url: string;
  /** The token of `/app/keys`. */
  adminToken: string;
}

interface RunFileParts {
  clock: Clock;
  log: Log;
  /** Replaces a file, all of it or nothing. */
  writeFile?(path: string, text: string, options: { mode: number }): Promise<void>;
}

const RETRY_MS = 10_000;
/** Errors that end by themselves: the disk has room again, or answers again. */
const PASSING_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

/**
 * Leaves in the data folder, for its owner only, how the `watchpost` command reaches the appliance
 * that runs on it: `run.json` with `pid`, `url` and `adminToken`. A disk that is full or fails keeps no
 * monitor from its work: the file is written once the disk takes it.
 *
 * @returns once it is written, or the disk did not take it for the first time
 * @throws Error what the first try failed with, where only somebody can mend it, as with EACCES
 */
export async function writeInstanceFile(
  folder: string,
  run: Run,
  { clock, log, writeFile = writeFileAtomic }: RunFileParts,
): Promise<{ remove(): Promise<void> }> {
  const path = join(folder, 'run.json');
  const text = `${JSON.stringify({ pid: process.pid, ...run })}\n`;
  let timer: unknown;
  let writing: Promise<void>;
  const write = async () => {
    try {
      await writeFile(path, text, { mode: 0o600 });
    } catch (error) {
      if (!isPassing(error)) throw error;
      log.warn({ err: error }, 'run.json cannot be written, so that `watchpost keys` must wait.');
      timer = clock.setTimeout(() => {
        writing = write().catch((other: unknown) => {
          log.error(
            { err: other },
            'run.json cannot be written, and `watchpost keys` will not work.',
          );
        });
      }, RETRY_MS);
    }
  };
  writing = write();
  await writing;
  return {
    async remove() {
      await writing;
      clock.clearTimeout(timer);
      await rm(path, { force: true });
    },
  };
}

const runFile = z.object({ pid: z.int().min(1), url: z.url() });

/** The process and address of the appliance on a folder, for messages; null where no file names it. */
export async function holderOf(folder: string): Promise<string | null> {
  try {
    const { pid, url } = runFile.parse(
      JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')),
    );
    // Left behind by a process that was killed: another one has the folder.
    return isAlive(pid) ? `process ${pid}, which answers at ${url}` : null;
  } catch (error) {
    const isUnreadable = error instanceof Error && 'code' in error;
    if (isUnreadable || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && PASSING_CODES.has(error.code);
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Clock } from '#shared/clock.ts';
import type { Log } from './log.ts';

/** How the `watchpost` command reaches the appliance that runs on a folder. */
interface Run {
  url: string;
  /** The token of `/app/keys`. */
  adminToken: string;
}

const RETRY_MS = 10_000;

/**
 * Leaves in the data folder, for its owner only, how the `watchpost` command reaches the appliance
 * that runs on it: `run.json` with `pid`, `url` and `adminToken`. A disk that is full keeps no monitor
 * from its work: the file is written once there is room.
 *
 * @returns once it is written, or was tried in vain for the first time
 */
export async function announceRun(
  folder: string,
  run: Run,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ remove(): Promise<void> }> {
  const path = join(folder, 'run.json');
  const text = `${JSON.stringify({ pid: process.pid, ...run })}\n`;
  let timer: unknown;
  let writing: Promise<void>;
  const write = async () => {
    try {
      await writeFileAtomic(path, text, { mode: 0o600 });
    } catch (error) {
      log.warn({ err: error }, 'run.json cannot be written, so that `watchpost keys` must wait.');
      timer = clock.setTimeout(() => {
        writing = write();
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

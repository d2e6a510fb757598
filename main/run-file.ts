import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/**
 * Leaves in the data folder, for its owner only, how the `watchpost` command reaches the appliance
 * that runs on it: `run.json` with `pid`, `url` and the token of `/app/keys`.
 */
export async function announceRun(
  folder: string,
  url: string,
  adminToken: string,
): Promise<{ remove(): Promise<void> }> {
  const path = join(folder, 'run.json');
  await writeFileAtomic(path, `${JSON.stringify({ pid: process.pid, url, adminToken })}\n`, {
    mode: 0o600,
  });
  return { remove: () => rm(path, { force: true }) };
}

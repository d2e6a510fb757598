import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is gone when the file's tests are. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-store-'));
  folders.push(folder);
  return folder;
}

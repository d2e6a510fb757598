import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StartupError } from '#main/platform/startup-error.ts';
import { openDataFolder } from '#main/store/data-folder.ts';
import { nextLine, runProgram } from './run-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

const NOBODY = 65_534;

async function refusal(path: string): Promise<string> {
  const error = await openDataFolder(path).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartupError);
  return (error as StartupError).message;
}

test('a folder that is missing is made, for its owner only', async () => {
  const path = join(temporaryFolder(), 'new', 'data');
  const folder = await openDataFolder(path);
  expect(folder.path).toBe(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  folder.release();
});

test('a folder in use is refused, in this process and in another, and free again afterwards', async () => {
  const path = temporaryFolder();
  const folder = await openDataFolder(path);
  const inUse = `The data folder ${path} is in use by another process: stop it, or choose another folder.`;
  expect(await refusal(path)).toBe(inUse);
  const other = runProgram('open-folder.ts', [path]);
  expect(await nextLine(other)).toBe(`StartupError: ${inUse}`);
  expect(await other.ended).toBe(0);
  folder.release();
  folder.release();
  (await openDataFolder(path)).release();
});

test('a process that is killed lets go of its folder', async () => {
  const path = temporaryFolder();
  const other = runProgram('open-folder.ts', [path]);
  expect(await nextLine(other)).toBe('open');
  expect(await refusal(path)).toContain('in use');
  other.process.kill('SIGKILL');
  expect(await other.ended).toBe('SIGKILL');
  (await openDataFolder(path)).release();
});

test('a path that is a file, or leads through one, is refused', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'mine');
  for (const path of [file, join(file, 'below')]) {
    expect(await refusal(path)).toBe(`The data folder ${path} cannot be used: it is not a folder.`);
  }
});

test('a folder that cannot be written is refused, and nothing is made in it', async () => {
  const parent = temporaryFolder();
  const path = join(parent, 'read-only');
  mkdirSync(path);
  chmodSync(path, 0o555);
  chmodSync(parent, 0o755);
  // Root may write everywhere, so it has nobody try.
  const other = runProgram('open-folder.ts', [path], process.getuid?.() === 0 ? NOBODY : undefined);
  expect(await nextLine(other)).toBe(
    `StartupError: The data folder ${path} cannot be written (EACCES).`,
  );
  expect(await other.ended).toBe(0);
  expect(existsSync(join(path, 'lock.db'))).toBe(false);
});

test('a lock file that is something else is refused and left as it is', async () => {
  const path = temporaryFolder();
  writeFileSync(join(path, 'lock.db'), 'a file of mine'.repeat(100));
  expect(await refusal(path)).toContain('is not a lock file of Watchpost');
  expect(statSync(join(path, 'lock.db')).size).toBe(1_400);
});

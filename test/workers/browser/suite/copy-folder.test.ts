import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyFolder } from '#workers/browser/suite/copy-folder.ts';
import { ProjectWriter } from '#workers/browser/suite/project-writer.ts';

let folder: string;
let from: string;
let root: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchpost-'));
  [from, root] = [join(folder, 'from'), join(folder, 'project')];
  await mkdir(join(from, 'tests'), { recursive: true });
  await mkdir(root);
});
afterEach(() => rm(folder, { recursive: true }));

const copy = () => copyFolder(from, new ProjectWriter(root));

test('a project is copied but for its packages and its history, which are named', async () => {
  for (const inside of ['node_modules', '.git', 'packages/a/node_modules']) {
    await mkdir(join(from, inside), { recursive: true });
    await writeFile(join(from, inside, 'x'), '');
  }
  await writeFile(join(from, 'tests', 'run.sh'), 'echo', { mode: 0o700 });
  await symlink('../tests/run.sh', join(from, 'packages', 'link'));
  expect(await copy()).toEqual(expect.arrayContaining(['node_modules', 'packages/a/node_modules']));
  expect((await readdir(root)).toSorted()).toEqual(['packages', 'tests']);
  expect(await readdir(join(root, 'packages/a'))).toEqual([]);
  expect(await readlink(join(root, 'packages/link'))).toBe('../tests/run.sh');
  expect((await stat(join(root, 'tests/run.sh'))).mode & 0o100).toBe(0o100);
});

test('a link that leads out is refused', async () => {
  await symlink('../../secret', join(from, 'tests', 'link'));
  await expect(copy()).rejects.toThrow('"tests/link" is a link that leads out of the project.');
});

test('what is neither file nor folder is refused', async () => {
  execFileSync('mkfifo', [join(from, 'pipe')]);
  await expect(copy()).rejects.toThrow('"pipe" is neither a file, a folder nor a symbolic link.');
});

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentBuild, holdBuild } from '../../main/platform/builds.js';
import { keepBuild } from '../../scripts/keep-build.ts';

const BUILD = { name: 'made', script: 'scripts/none.ts', sources: ['code', 'package-lock.json'] };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wp-builds-'));
  mkdirSync(join(root, 'code', 'below'), { recursive: true });
  change('one');
  writeFileSync(join(root, 'package-lock.json'), '{}');
});
afterEach(() => rmSync(root, { recursive: true }));

const change = (text: string) => writeFileSync(join(root, 'code', 'below', 'file.ts'), text);
const make = async (folder: string) => writeFileSync(join(folder, 'result'), 'made');
const build = () => keepBuild(root, BUILD, make);

test('a build is current as long as its sources are what they were', async () => {
  expect(currentBuild(root, BUILD)).toBeNull();
  await build();
  const first = currentBuild(root, BUILD);
  expect(first).toMatch(/node_modules.\.cache.made.[0-9a-f]{16}$/);
  change('two');
  expect(currentBuild(root, BUILD)).toBeNull();
  change('one');
  expect(currentBuild(root, BUILD)).toBe(first);
  writeFileSync(join(root, 'code', 'another.ts'), '');
  expect(currentBuild(root, BUILD)).toBeNull();
});

test('a build that breaks off is none, and the next one is whole', async () => {
  const breaks = keepBuild(root, BUILD, () => Promise.reject(new Error('no space left')));
  await expect(breaks).rejects.toThrow('no space left');
  expect(currentBuild(root, BUILD)).toBeNull();
  await build();
  expect(currentBuild(root, BUILD)).not.toBeNull();
});

test('a build of which a part was removed is none, and is made again', async () => {
  await build();
  const folder = currentBuild(root, BUILD) ?? '';
  rmSync(folder, { recursive: true });
  expect(currentBuild(root, BUILD)).toBeNull();
  await build();
  expect(currentBuild(root, BUILD)).toBe(folder);
});

test('a build in which a file was emptied is none, and is made again', async () => {
  await build();
  const folder = currentBuild(root, BUILD) ?? '';
  writeFileSync(join(folder, 'result'), '');
  expect(currentBuild(root, BUILD)).toBeNull();
  await build();
  expect(currentBuild(root, BUILD)).toBe(folder);
});

test('a build is there for everybody, as what npm installs', async () => {
  await build();
  expect(statSync(currentBuild(root, BUILD) ?? '').mode & 0o055).toBe(0o055 & ~process.umask());
});

test('two that build at once leave one whole build', async () => {
  await Promise.all([build(), build()]);
  expect(currentBuild(root, BUILD)).not.toBeNull();
});

test('what is gone while builds of old are looked for is passed over', async () => {
  await build();
  symlinkSync('gone', join(root, 'node_modules', '.cache', 'made', 'being-written'));
  change('two');
  await build();
  expect(currentBuild(root, BUILD)).not.toBeNull();
});

test('a build that a process runs stays, however many come after it', async () => {
  await build();
  const held = currentBuild(root, BUILD) ?? '';
  holdBuild(held);
  utimesSync(held, 1, 1);
  for (const text of ['two', 'three', 'four', 'five']) {
    change(text);
    await build();
  }
  expect(existsSync(join(held, 'result'))).toBe(true);
  // That of a process that ended goes, unless it is current again.
  renameSync(join(held, 'users', `${process.pid}`), join(held, 'users', '99999999'));
  utimesSync(held, 1, 1);
  change('one');
  await build();
  expect(currentBuild(root, BUILD)).toBe(held);
  change('six');
  await build();
  expect(existsSync(held)).toBe(false);
});

test('a build forgets those that ran it as soon as somebody runs it again', async () => {
  await build();
  const users = join(currentBuild(root, BUILD) ?? '', 'users');
  mkdirSync(users);
  writeFileSync(join(users, '99999999'), '');
  holdBuild(currentBuild(root, BUILD) ?? '');
  expect(readdirSync(users)).toEqual([`${process.pid}`]);
});

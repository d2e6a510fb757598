import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unpackArchive } from '#workers/browser/suite/unpack-archive.ts';
import {
  type ArchiveEntry,
  encryptedZipOf,
  tarGzOf,
  tarOf,
  zipOf,
} from '../../../fixtures/archives.ts';

/** Holds `project`, where archives are unpacked, and beside it what they must not touch. */
let folder: string;
let root: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchpost-'));
  root = join(folder, 'project');
  await mkdir(root);
  await mkdir(join(folder, 'outside'));
  await writeFile(join(folder, 'outside', 'secret.txt'), 'the secret');
});
afterEach(() => rm(folder, { recursive: true }));

async function unpack(bytes: Buffer): Promise<void> {
  await writeFile(join(folder, 'archive'), bytes);
  await unpackArchive(join(folder, 'archive'), root);
}
const read = (name: string) => readFile(join(root, name), 'utf8');

const PROJECT: ArchiveEntry[] = [
  { name: './', type: 'directory' },
  { name: './package.json', content: '{}' },
  { name: 'bin/run.sh', content: '#!/bin/sh', mode: 0o755 },
  { name: 'tests/', type: 'directory' },
  { name: `tests/${'deep/'.repeat(20)}a.spec.ts`, content: 'test' },
  { name: 'tests/shared', type: 'symlink', linkname: '../bin' },
  { name: 'dangling', type: 'symlink', linkname: 'node_modules/x' },
  { name: 'empty', content: '' },
];

test.each([
  ['tar.gz', tarGzOf],
  ['tar', tarOf],
  ['zip', async (entries: ArchiveEntry[]) => zipOf(entries)],
])('a project is unpacked from a %s', async (_format, archiveOf) => {
  await unpack(await archiveOf(PROJECT));
  expect(await read('package.json')).toBe('{}');
  expect(await read(`tests/${'deep/'.repeat(20)}a.spec.ts`)).toBe('test');
  expect(await read('tests/shared/run.sh')).toBe('#!/bin/sh');
  expect(await read('empty')).toBe('');
  expect((await stat(join(root, 'bin/run.sh'))).mode & 0o777).toBe(0o755);
  expect((await stat(join(root, 'package.json'))).mode & 0o111).toBe(0);
  expect((await lstat(join(root, 'dangling'))).isSymbolicLink()).toBe(true);
});

test('the tar of the system is unpacked, with its long names', async () => {
  const from = join(folder, 'from');
  const long = `tests/${'a long name '.repeat(15)}.ts`;
  await mkdir(join(from, 'tests'), { recursive: true });
  await writeFile(join(from, long), 'long');
  for (const format of ['gnu', 'pax']) {
    const archive = execFileSync('tar', ['-cz', `--format=${format}`, '-C', from, '.']);
    await unpack(archive);
    expect(await read(long)).toBe('long');
    await rm(join(root, 'tests'), { recursive: true });
  }
});

const zeros = (mebibytes: number) => Buffer.alloc(mebibytes * 1024 ** 2);
const outside = 'outside/new.txt';
const file = (name: string): ArchiveEntry => ({ name, content: 'evil' });
const linkTo = (name: string, linkname: string): ArchiveEntry => ({
  name,
  type: 'symlink',
  linkname,
});

/** What an archive did: each is harm where the door was open. */
const HARM = {
  writes: async () => (await exists(join(folder, outside))) || exists('/tmp/watchpost-evil'),
  reads: async (name: string) => (await read(name)) === 'the secret',
  leads: async (name: string) => !(await realpath(join(root, name))).startsWith(root),
  fills: async () => (await sizeOf(root)) > 32 * 1024 ** 2,
  isNoFile: async (name: string) => !(await lstat(join(root, name))).isFile(),
  digs: async () => execFileSync('find', [root, '-mindepth', '33']).length > 0,
};

interface Attack {
  what: string;
  entries: () => ArchiveEntry[];
  message: string;
  harm: () => Promise<boolean>;
  /** Formats that can say it. */
  in?: readonly ('tar.gz' | 'zip')[];
}

const LEADS_OUT = (name: string) => `"${name}" is a link that leads out of the project.`;
const ATTACKS: Attack[] = [
  {
    what: 'a path that climbs out',
    entries: () => [file(`../${outside}`)],
    message: `The path "../${outside}": expected a path inside the project, without "..".`,
    harm: HARM.writes,
    in: ['tar.gz'],
  },
  {
    what: 'a path that climbs out',
    entries: () => [file(`../${outside}`)],
    message: `The archive is damaged: invalid relative path: ../${outside}.`,
    harm: HARM.writes,
    in: ['zip'],
  },
  {
    what: 'a long path that climbs out',
    entries: () => [file(`${'x/'.repeat(70)}${'../'.repeat(70)}../${outside}`)],
    message: 'expected a path inside the project, without ".."',
    harm: HARM.writes,
    in: ['tar.gz'],
  },
  {
    what: 'an absolute path',
    entries: () => [file('/tmp/watchpost-evil')],
    message: 'The path "/tmp/watchpost-evil": expected a relative path.',
    harm: HARM.writes,
    in: ['tar.gz'],
  },
  {
    what: 'a file through a link that leads out',
    entries: () => [linkTo('l', '../outside'), file('l/new.txt')],
    message: LEADS_OUT('l'),
    harm: HARM.writes,
  },
  {
    what: 'a link to a file outside',
    entries: () => [linkTo('a/s', '../../outside/secret.txt')],
    message: LEADS_OUT('a/s'),
    harm: () => HARM.reads('a/s'),
  },
  {
    what: 'an absolute link',
    entries: () => [linkTo('s', '/etc')],
    message: LEADS_OUT('s'),
    harm: () => HARM.leads('s'),
  },
  {
    what: 'a link that leads up from where another one leads to',
    entries: () => [
      file('a/b/c.txt'),
      linkTo('a/b/top', '../..'),
      linkTo('a/b/s', 'top/../outside/secret.txt'),
    ],
    message: '"a/b/s" is a link that leads up from inside.',
    harm: () => HARM.reads('a/b/s'),
  },
  {
    what: 'a file through a link that stays inside',
    entries: () => [linkTo('l', 'tests'), file('tests/a.txt'), file('l/a.txt')],
    message: 'is there twice, as a file, a folder or a link',
    harm: async () => (await lstat(join(root, 'l'))).isSymbolicLink(),
  },
  {
    what: 'a hard link to a file outside',
    entries: () => [{ name: 'h', type: 'link', linkname: '../outside/secret.txt' }],
    message: '"h" is neither a file, a folder nor a symbolic link.',
    harm: () => HARM.reads('h'),
    in: ['tar.gz'],
  },
  {
    what: 'a pipe, which a reader would wait for',
    entries: () => [{ name: 'p', type: 'fifo' }],
    message: '"p" is neither a file, a folder nor a symbolic link.',
    harm: () => HARM.isNoFile('p'),
    in: ['tar.gz'],
  },
  {
    what: 'a device',
    entries: () => [{ name: 'd', type: 'character-device' }],
    message: '"d" is neither a file, a folder nor a symbolic link.',
    harm: () => HARM.isNoFile('d'),
    in: ['tar.gz'],
  },
  {
    what: 'a bomb',
    entries: () => [{ name: 'zeros', content: zeros(40) }],
    message: 'The archive holds more than 100 times its own size, as no project does.',
    harm: HARM.fills,
  },
  {
    what: 'a bomb of many files',
    entries: () => Array.from({ length: 40 }, (_, at) => ({ name: `${at}`, content: zeros(1) })),
    message: 'The archive holds more than 100 times its own size, as no project does.',
    harm: HARM.fills,
  },
  {
    what: 'more folders in one another than a tool can walk',
    entries: () => [file(`${'d/'.repeat(32)}x`)],
    message: 'expected at most 32 folders in one another',
    harm: HARM.digs,
  },
];

const CASES = ATTACKS.flatMap((attack) =>
  (attack.in ?? (['tar.gz', 'zip'] as const)).map(
    (format) => [attack.what, format, attack] as const,
  ),
);

describe.each(CASES)('%s in a %s', (_what, format, { entries, message, harm }) => {
  test('is refused, and nothing is outside that was not there', async () => {
    const bytes = format === 'zip' ? zipOf(entries()) : await tarGzOf(entries());
    await expect(unpack(bytes)).rejects.toThrow(message);
    expect(await readdir(join(folder, 'outside'))).toEqual(['secret.txt']);
    expect(await readdir(folder)).toEqual(['archive', 'outside', 'project']);
  });

  test('would do harm where the door is open', async () => {
    await openDoor(entries());
    expect(await harm()).toBe(true);
    await rm('/tmp/watchpost-evil', { force: true });
  });
});

/** Does what an archive says. */
async function openDoor(entries: ArchiveEntry[]): Promise<void> {
  for (const { name, type = 'file', content = '', linkname = '' } of entries) {
    const path = resolve(root, name);
    await mkdir(dirname(path), { recursive: true });
    if (type === 'symlink') await symlink(linkname, path);
    else if (type === 'link') await link(resolve(root, linkname), path);
    else if (type === 'fifo') execFileSync('mkfifo', [path]);
    else if (type === 'character-device') await symlink('/dev/null', path);
    else await writeFile(path, content);
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function sizeOf(path: string): Promise<number> {
  const names = await readdir(path);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('a project of too many files is refused', async () => {
  function* files(): Generator<ArchiveEntry> {
    for (let at = 0; at <= 50_000; at++) yield { name: 'd/', type: 'directory' };
  }
  const message = 'The project has more than 50000 files.';
  await expect(unpack(await tarOf(files()))).rejects.toThrow(message);
});

test('a project of too many bytes is refused, however little it was packed', async () => {
  // Random bytes hardly shrink, so that their number alone counts.
  const packed = await tarGzOf([{ name: 'a', content: Buffer.concat([noise(6), zeros(520)]) }]);
  await expect(unpack(packed)).rejects.toThrow('The project has more than 512 MB.');
});

const noise = (mebibytes: number) => randomBytes(mebibytes * 1024 ** 2);

test.each<[string, () => Promise<Buffer>, string]>([
  ['a tar that breaks off', async () => (await tarOf(PROJECT)).subarray(0, 700), 'damaged'],
  ['a gzip that breaks off', async () => (await tarGzOf(PROJECT)).subarray(0, 60), 'damaged'],
  ['a gzip of no tar', async () => gzipSync('x'.repeat(2_000)), 'damaged: Invalid tar header'],
  ['a zip that breaks off', async () => zipOf(PROJECT).subarray(0, 100), 'damaged'],
  ['an encrypted zip', async () => encryptedZipOf([file('a')]), '"a" is encrypted.'],
  ['no archive', async () => Buffer.from('text'), 'The archive is no tar.gz, tar or zip.'],
  ['a file twice', () => tarGzOf([file('a'), file('./a')]), 'The path "./a" is there twice'],
  ['a file in a file', () => tarGzOf([file('a'), file('a/b')]), 'The path "a/b" is there twice'],
])('%s is refused', async (_what, archive, message) => {
  await expect(unpack(await archive())).rejects.toThrow(message);
});

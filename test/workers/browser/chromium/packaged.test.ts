import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPackage, unpackedChromium } from '#workers/browser/chromium/packaged.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchpost-packaged-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.each<[NodeJS.Platform, string]>([
  ['darwin', 'arm64'],
  ['win32', 'x64'],
  ['linux', 'arm64'],
])('there is none for %s on %s', (platform, arch) => {
  expect(chromiumPackage(platform, arch)).toBeNull();
});

const real = chromiumPackage();
const PACKAGES = join(import.meta.dirname, '../../../../node_modules');

/** A package whose browser is a script of these lines; its other archives are empty. */
async function fakePackage(lines: string) {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(PACKAGES, 'tar-fs'), join(folder, 'node_modules/tar-fs'));
  const write = (name: string, content: string | Buffer) =>
    writeFile(join(folder, 'bin', name), brotliCompressSync(content));
  await write('chromium.br', `#!/bin/sh\n${lines}\n`);
  for (const name of ['swiftshader', 'fonts', 'al2023']) {
    await write(`${name}.tar.br`, Buffer.alloc(1_024));
  }
  return { version: '1.2.3', folder };
}

describe.skipIf(real === null)('a package', () => {
  test('is unpacked once, also by two at once', async () => {
    const cache = await temporaryFolder();
    const one = await fakePackage('echo "$@"');
    const [path = ''] = await Promise.all([
      unpackedChromium(one, cache),
      unpackedChromium(one, cache),
    ]);
    expect(path).toBe(join(cache, 'chromium/1.2.3/headless_shell'));
    expect(await readdir(join(cache, 'chromium'))).toEqual(['1.2.3']);
    const { stdout } = spawnSync(path, ['--a b'], { encoding: 'utf8' });
    expect(stdout).toBe('--a b\n');
    await rm(one.folder, { recursive: true });
    await mkdir(one.folder);
    expect(await unpackedChromium(one, cache)).toBe(path);
  });

  test('that is cut off leaves nothing, and says why', async () => {
    const cache = await temporaryFolder();
    const one = await fakePackage('true');
    await truncate(join(one.folder, 'bin/chromium.br'), 8);
    await expect(unpackedChromium(one, cache)).rejects.toThrow('unexpected end of file');
    expect(await readdir(join(cache, 'chromium'))).toEqual([]);
  });

  test('that does not start leaves nothing, and says why', async () => {
    const cache = await temporaryFolder();
    const one = await fakePackage('echo libx.so: cannot open shared object file >&2; exit 127');
    await expect(unpackedChromium(one, cache)).rejects.toThrow(/^libx\.so: cannot open/);
    expect(await readdir(join(cache, 'chromium'))).toEqual([]);
  });

  test('gets its own libraries where the system has none', async () => {
    const cache = await temporaryFolder();
    const one = await fakePackage('[ -n "$LD_LIBRARY_PATH" ] && echo "$LD_LIBRARY_PATH"');
    const path = await unpackedChromium(one, cache);
    const { stdout } = spawnSync(path, { encoding: 'utf8' });
    expect(stdout).toBe(`${dirname(path)}/libraries/lib\n`);
  });
});

test.skipIf(real === null)(
  'the real package shows a page, from the cache folder',
  async () => {
    const cache = await temporaryFolder();
    const path = await unpackedChromium(real ?? { version: '', folder: '' }, cache);
    expect(existsSync(join(dirname(path), 'libraries/lib/libnss3.so'))).toBe(true);
    expect(existsSync(join(dirname(path), 'fonts/fonts'))).toBe(true);
    const owners = await Promise.all(
      ['libEGL.so', 'fonts', 'libraries/lib'].map((name) => stat(join(dirname(path), name))),
    );
    expect(owners.map(({ uid }) => uid)).toEqual(owners.map(() => process.getuid?.()));
    const args = ['--no-sandbox', '--no-zygote'];
    await using browser = await chromium.launch({ executablePath: path, args });
    const page = await browser.newPage();
    await page.setContent('<title>there</title>');
    expect(await page.title()).toBe('there');
  },
  60_000,
);

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

/** A package whose `executablePath` is this code. */
async function fakePackage(code: string) {
  const main = join(await temporaryFolder(), 'main.cjs');
  await writeFile(
    main,
    `const fs = require('fs'); const folder = process.env.TMPDIR;
    module.exports = { async executablePath() { ${code} } };`,
  );
  return { version: '1.2.3', main };
}
const WRITE = `fs.writeFileSync(folder + '/chromium', '#!/bin/sh\\necho "$@"\\n', { mode: 0o700 });`;

describe.skipIf(process.platform === 'win32')('a package', () => {
  test('is unpacked once, also by two at once', async () => {
    const cache = await temporaryFolder();
    const count = join(cache, 'count');
    const one = await fakePackage(`${WRITE} fs.appendFileSync('${count}', '.');`);
    const paths = await Promise.all([unpackedChromium(one, cache), unpackedChromium(one, cache)]);
    expect(new Set([...paths, await unpackedChromium(one, cache)])).toEqual(
      new Set([join(cache, 'chromium/1.2.3/headless_shell')]),
    );
    expect((await readFile(count, 'utf8')).length).toBeLessThanOrEqual(2);
    expect(await readdir(join(cache, 'chromium'))).toEqual(['1.2.3']);
    const { stdout } = spawnSync(paths[0] ?? '', ['--a b'], { encoding: 'utf8' });
    expect(stdout).toBe('--a b\n');
  });

  test('that breaks off leaves nothing, and says why', async () => {
    const cache = await temporaryFolder();
    const one = await fakePackage(`${WRITE} throw new Error('no space left');`);
    await expect(unpackedChromium(one, cache)).rejects.toThrow(/^no space left$/);
    expect(await readdir(join(cache, 'chromium'))).toEqual([]);
  });

  test('that does not start leaves nothing, and says why', async () => {
    const cache = await temporaryFolder();
    const broken = `echo libx.so: cannot open shared object file >&2; exit 127`;
    const one = await fakePackage(
      `fs.writeFileSync(folder + '/chromium', '#!/bin/sh\\n${broken}\\n', { mode: 0o700 });`,
    );
    await expect(unpackedChromium(one, cache)).rejects.toThrow('libx.so');
    expect(await readdir(join(cache, 'chromium'))).toEqual([]);
  });

  test('gets its own libraries where the system has none', async () => {
    const cache = await temporaryFolder();
    const needy = `[ -n "$LD_LIBRARY_PATH" ] && echo "$LD_LIBRARY_PATH"`;
    const one = await fakePackage(
      `fs.writeFileSync(folder + '/chromium', '#!/bin/sh\\n${needy}\\n', { mode: 0o700 });`,
    );
    const path = await unpackedChromium(one, cache);
    const { stdout } = spawnSync(path, { encoding: 'utf8' });
    expect(stdout).toBe(`${dirname(path)}/al2023/lib\n`);
  });
});

const real = chromiumPackage();

test.skipIf(real === null)(
  'the real package shows a page, from the cache folder',
  async () => {
    const cache = await temporaryFolder();
    const path = await unpackedChromium(real ?? { version: '', main: '' }, cache);
    expect(existsSync(join(dirname(path), 'al2023/lib/libnss3.so'))).toBe(true);
    expect(existsSync(join(dirname(path), 'fonts/fonts'))).toBe(true);
    const args = ['--no-sandbox', '--no-zygote'];
    await using browser = await chromium.launch({ executablePath: path, args });
    const page = await browser.newPage();
    await page.setContent('<title>there</title>');
    expect(await page.title()).toBe('there');
  },
  60_000,
);

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ChromiumFinder } from '#workers/browser/chromium/chromium-finder.ts';
import { findChromium, type Machine } from '#workers/browser/chromium/find-chromium.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchpost-chromium-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** A program in the folder of the test. */
async function program(name: string, text = '#!/bin/sh\n', mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode });
  return path;
}

const inFolder = (name: string) => join(folder, name);
const candidates = (source: string, names: readonly string[]) =>
  names.map((name) => ({ path: inFolder(name), source }));

const machine = (parts: Partial<Machine> = {}): Machine => ({
  playwrightCandidates: () => candidates('installed by Playwright', ['pw-headless-shell', 'pw']),
  systemCandidates: () => candidates('of the system', ['headless_shell', 'chrome']),
  packaged: async () => null,
  ...parts,
});

const search = (setting: string | null = null) => ({ setting, cacheFolder: inFolder('cache') });

describe.skipIf(process.platform === 'win32')('a Chromium is found', () => {
  test('in the order of setting, Playwright, system, package', async () => {
    const packaged = { packaged: () => program('unpacked/headless_shell') };
    const order = [];
    const next = async () => (await findChromium(search(), false, machine(packaged))).found;
    order.push(await next());
    await program('chrome');
    order.push(await next());
    await program('headless_shell');
    order.push(await next());
    await program('pw');
    order.push(await next());
    await program('pw-headless-shell');
    order.push(await next());
    const named = await program('named');
    order.push((await findChromium(search(named), false, machine())).found);
    const kinds = order.map((found) => [found?.path.slice(folder.length + 1), found?.kind]);
    expect(kinds).toEqual([
      ['unpacked/headless_shell', 'headless-shell'],
      ['chrome', 'chrome'],
      ['headless_shell', 'headless-shell'],
      ['pw', 'chrome'],
      ['pw-headless-shell', 'headless-shell'],
      ['named', 'chrome'],
    ]);
    expect(order[0]?.args).toEqual(['--no-sandbox', '--no-zygote']);
    expect(order[1]?.args).toEqual(['--no-sandbox']);
  });

  test('behind links, whose names tell its kind', async () => {
    const path = await program('opt/chrome');
    await symlink(path, inFolder('pw-headless-shell'));
    const { found } = await findChromium(search(), false, machine());
    expect(found).toMatchObject({ path, kind: 'headless-shell' });
  });

  test('only where the setting says, even if there are others', async () => {
    await program('chrome');
    const { found, tried } = await findChromium(search(inFolder('gone')), false, machine());
    expect(found).toBeNull();
    expect(tried).toEqual([`${inFolder('gone')} is not there`]);
  });

  test('where it has a window, if it needs one', async () => {
    await program('pw-headless-shell');
    await program('headless_shell');
    const packaged = { packaged: async () => inFolder('unpacked/headless_shell') };
    const none = await findChromium(search(), true, machine(packaged));
    expect(none.found).toBeNull();
    const path = await program('chrome');
    expect((await findChromium(search(), true, machine(packaged))).found?.path).toBe(path);
  });

  test('with a line for each thing that was looked at in vain', async () => {
    await mkdir(inFolder('pw-headless-shell'));
    await program('pw', 'text', 0o644);
    await program('headless_shell', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n');
    await program('snap/snap');
    await symlink(await program('usr/bin/snap'), inFolder('chrome'));
    const { found, tried } = await findChromium(search(), false, machine());
    expect(found).toBeNull();
    // Nobody can forbid root anything but to start what has no right to be started.
    expect(tried).toEqual([
      `${inFolder('pw-headless-shell')} is no file`,
      `${inFolder('pw')} may not be started`,
      `${inFolder('headless_shell')} is a snap, which sees no folder of a run`,
      `${inFolder('chrome')} is a snap, which sees no folder of a run`,
      'no headless shell, Chrome or Chromium in the path or in the usual places',
      '@sparticuz/chromium is not installed, or has none for this platform',
    ]);
  });

  test('in a package that cannot be unpacked: no more than a line', async () => {
    const packaged = async () => Promise.reject(new Error('no space left'));
    const { found, tried } = await findChromium(search(), false, machine({ packaged }));
    expect(found).toBeNull();
    expect(tried.at(-1)).toBe('@sparticuz/chromium cannot be unpacked: no space left');
  });
});

describe('the finder of a thread', () => {
  const found = (path: string) => ({ path, kind: 'chrome' as const, source: '', args: [] });

  test('searches with the first run, once, however many runs wait', async () => {
    const path = await program('chrome');
    let searches = 0;
    const finder = new ChromiumFinder(search(), async () => {
      searches++;
      return { found: found(path), tried: [] };
    });
    expect(searches).toBe(0);
    expect(await Promise.all([finder.find(), finder.find()])).toEqual([found(path), found(path)]);
    await finder.find();
    expect(searches).toBe(1);
  });

  test('searches again where there was none a minute ago, and where it is gone', async () => {
    let now = 0;
    const results = [null, found(await program('chrome')), found(await program('newer'))];
    const asked: number[] = [];
    const finder = new ChromiumFinder(
      search(),
      async () => ({ found: results[asked.push(now) - 1] ?? null, tried: [] }),
      () => now,
    );
    expect(await finder.find()).toBeNull();
    now = 59_999;
    expect(await finder.find()).toBeNull();
    now = 60_000;
    expect((await finder.find())?.path).toBe(inFolder('chrome'));
    now = 60_001;
    await rm(inFolder('chrome'));
    expect((await finder.find())?.path).toBe(inFolder('newer'));
    expect(asked).toEqual([0, 60_000, 60_001]);
  });
});

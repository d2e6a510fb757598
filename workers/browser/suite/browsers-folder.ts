import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { FoundChromium } from '#shared/runs/protocol.ts';

/** Where each version of Playwright looks for the programs in the folder of a browser. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  chromium: [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-linux-arm64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    ...['x64', 'arm64'].map(
      (arch) =>
        `chrome-mac-${arch}/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing`,
    ),
  ],
  'chromium-headless-shell': [
    'chrome-linux/headless_shell',
    'chrome-mac/headless_shell',
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-headless-shell-linux-arm64/chrome-headless-shell',
    'chrome-headless-shell-mac-x64/chrome-headless-shell',
    'chrome-headless-shell-mac-arm64/chrome-headless-shell',
  ],
  firefox: ['firefox/firefox', 'firefox/Nightly.app/Contents/MacOS/firefox'],
  webkit: ['pw_run.sh'],
  ffmpeg: ['ffmpeg-linux', 'ffmpeg-mac'],
};

/** The files that Playwright takes as proof that all of a browser is there, and that it can be started. */
const MARKERS = ['INSTALLATION_COMPLETE', 'DEPENDENCIES_VALIDATED'];

export interface BrowsersFolder {
  /** Does not exist yet. */
  folder: string;
  /** Where the file of each browser that was asked for in vain is made. */
  wanted: string;
  /** Null where there is none. */
  chromium: FoundChromium | null;
  /** What Chromium is started with besides, which no argument of the project takes back. */
  args: readonly string[];
  /** The program; null where there is none. */
  ffmpeg: string | null;
}

/**
 * Makes what a Playwright takes as its folder of browsers: in the place of each stands a script, which
 * starts the program of this machine or notes that it was wanted.
 *
 * @param playwrightCore the folder of the package, which says what its browsers are called
 */
export async function makeBrowsersFolder(
  playwrightCore: string,
  { folder, wanted, chromium, args, ffmpeg }: BrowsersFolder,
): Promise<void> {
  const chrome = chromium
    ? `exec ${shellWord(chromium.path)} "$@" ${[...chromium.args, ...args].map(shellWord).join(' ')}`
    : noted('chromium', wanted, REFUSE);
  const scripts: Readonly<Record<string, string>> = {
    firefox: noted('firefox', wanted, REFUSE),
    webkit: noted('webkit', wanted, REFUSE),
    ffmpeg: ffmpeg ? `exec ${shellWord(ffmpeg)} "$@"` : noted('ffmpeg', wanted, SWALLOW),
  };
  await mkdir(wanted, { recursive: true });
  for (const { name, revision } of await browsersOf(playwrightCore)) {
    const script = `#!/bin/sh\n${scripts[name] ?? chrome}\n`;
    // The folder of a headless shell is named with underscores.
    const own = join(folder, `${name.replaceAll('-', '_')}-${revision}`);
    for (const place of PLACES[name] ?? []) await writeProgram(join(own, place), script);
    for (const marker of MARKERS) await writeFile(join(own, marker), '');
  }
}

const revision = z.string().regex(/^[\w.-]{1,50}$/);
const browsersJson = z.object({
  browsers: z.array(z.object({ name: z.string(), revision })).max(100),
});

async function browsersOf(playwrightCore: string) {
  const text = await readFile(join(playwrightCore, 'browsers.json'), 'utf8');
  const { browsers } = browsersJson.parse(JSON.parse(text));
  return browsers.filter(({ name }) => Object.hasOwn(PLACES, name));
}

async function writeProgram(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, script);
  await chmod(path, 0o755);
}

const REFUSE = 'exit 1';
/** Takes the pictures of a video, so that the test goes on without one. */
const SWALLOW = 'exec cat > /dev/null';

function noted(name: string, wanted: string, then: string): string {
  const words = `This machine has no ${name} for Playwright.`;
  return `: > ${shellWord(join(wanted, name))}\necho ${shellWord(words)} >&2\n${then}`;
}

const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The folder of the `playwright-core` that tests in a folder would run with; null where they have no
 * `@playwright/test`. Looked for as Node does, which would remember every folder for ever.
 *
 * @param top the folder that holds all that tests may import
 */
export async function playwrightCoreOf(folder: string, top: string): Promise<string | null> {
  const test = await findPackage('@playwright/test', folder, top);
  const playwright = test && ((await findPackage('playwright', test)) ?? test);
  return playwright && findPackage('playwright-core', playwright);
}

async function findPackage(name: string, from: string, top = '/'): Promise<string | null> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await realPath(join(folder, 'node_modules', name));
    if (found !== null) return found;
    if (folder === top || dirname(folder) === folder) return null;
  }
}

async function realPath(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}

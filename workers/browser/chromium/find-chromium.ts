import { constants } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import type { ChromiumSearch, FoundChromium } from '#shared/runs/protocol.ts';
import { type Candidate, kindOf, systemCandidates } from './candidates.ts';
import { chromiumPackage, unpackedChromium } from './packaged.ts';

/** What a search found, and what it looked at in vain, a line each. */
export interface ChromiumAnswer {
  found: FoundChromium | null;
  tried: readonly string[];
}

/** What a search asks of this machine. */
export interface Machine {
  /** What the installed Playwright would start. */
  playwrightCandidates(): readonly Candidate[];
  systemCandidates(): readonly Candidate[];
  /** The path of the packaged one, unpacked; null where the package is not there. */
  packaged(cacheFolder: string): Promise<string | null>;
}

/** The cage stands in for Chromium's own sandbox, which needs rights that no cage and no root leaves. */
const ARGS = ['--no-sandbox'];
/** The packaged one is made for places that forbid what a zygote does. */
const PACKAGED_ARGS = [...ARGS, '--no-zygote'];

/**
 * Finds a Chromium: the operator's, else Playwright's own, else one of the system, else the packaged
 * one. Takes milliseconds, or seconds where that one is unpacked for the first time.
 *
 * @param needsWindow whether a headless shell will not do
 */
export async function findChromium(
  { setting, cacheFolder }: ChromiumSearch,
  needsWindow = false,
  machine: Machine = thisMachine,
): Promise<ChromiumAnswer> {
  const tried: string[] = [];
  const first = async (candidates: readonly Candidate[], isNamed = false) => {
    for (const candidate of candidates) {
      if (needsWindow && kindOf(candidate.path) !== 'chrome') continue;
      const problem = await problemOf(candidate.path);
      if (problem === null) return found(candidate);
      if (isNamed || problem !== MISSING) tried.push(`${candidate.path} ${problem}`);
    }
    return null;
  };
  // One that the operator named is never replaced in silence.
  if (setting !== null)
    return { found: await first([{ path: setting, source: SET }], true), tried };
  const installed = await first(machine.playwrightCandidates(), true);
  const system = installed ?? (await first(machine.systemCandidates()));
  if (system !== null) return { found: system, tried };
  tried.push('no headless shell, Chrome or Chromium in the path or in the usual places');
  return { found: needsWindow ? null : await packaged(machine, cacheFolder, tried), tried };
}

const SET = 'named by WATCHPOST_CHROMIUM';
const MISSING = 'is not there';

async function found({ path, source }: Candidate): Promise<FoundChromium> {
  // Without links, so that a cage need show no more than its folder.
  return { path: await realpath(path), kind: kindOf(path), source, args: ARGS };
}

async function packaged(
  machine: Machine,
  cacheFolder: string,
  tried: string[],
): Promise<FoundChromium | null> {
  try {
    const path = await machine.packaged(cacheFolder);
    if (path !== null) {
      const chromium = await found({ path, source: 'of @sparticuz/chromium' });
      return { ...chromium, args: PACKAGED_ARGS };
    }
    tried.push('@sparticuz/chromium is not installed, or has none for this platform');
  } catch (error) {
    tried.push(`@sparticuz/chromium cannot be unpacked: ${(error as Error).message.trim()}`);
  }
  return null;
}

/** Why a path cannot be started; null where nothing speaks against it. */
async function problemOf(path: string): Promise<string | null> {
  try {
    if (!(await stat(path)).isFile()) return 'is no file';
    await access(path, constants.X_OK);
    return (await isSnap(path)) ? 'is a snap, which sees no folder of a run' : null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return MISSING;
    if (code === 'EACCES' || code === 'EPERM') return 'may not be started';
    return `cannot be read (${code})`;
  }
}

/** Snaps are links to one program; Ubuntu's package of Chromium is a script that starts one. */
async function isSnap(path: string): Promise<boolean> {
  if (/^\/snap\/|\/snap$/.test(await realpath(path))) return true;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096));
  const head = buffer.toString('latin1', 0, bytesRead);
  return head.startsWith('#!') && head.includes('/snap/');
}

/** The machine that this thread runs on. */
export const thisMachine: Machine = {
  playwrightCandidates: () =>
    ['chromium-headless-shell', 'chromium'].flatMap((name) => {
      // Loaded by whoever searches only: it is all of Playwright.
      const { registry } = createRequire(import.meta.url)(
        'playwright-core/lib/coreBundle',
      ).registry;
      const path: string | undefined = registry.findExecutable(name)?.executablePath();
      return path === undefined ? [] : [{ path, source: 'installed by Playwright' }];
    }),
  systemCandidates: () =>
    systemCandidates({ platform: process.platform, env: process.env, home: homedir() }),
  packaged: async (cacheFolder) => {
    const installed = chromiumPackage();
    return installed && unpackedChromium(installed, cacheFolder);
  },
};

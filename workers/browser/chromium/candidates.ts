import { posix, win32 } from 'node:path';
import type { FoundChromium } from '#shared/runs/protocol.ts';

/** A place where a Chromium may be. */
export interface Candidate {
  path: string;
  /** In words for people. */
  source: string;
}

/** What of a machine decides where its programs are. */
export interface Surroundings {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The home of the user. */
  home: string;
}

/** The smaller ones first: they have no window, and start faster. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];
const BROWSERS = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'];

/** Where packages of distributions put it that name no program in the path. */
const LINUX_PATHS = [
  '/usr/lib/chromium/headless_shell',
  '/usr/lib64/chromium-browser/headless_shell',
  '/opt/google/chrome/chrome',
];
const MAC_PATHS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
];
/** Edge last, which is a Chromium and on every Windows. */
const WINDOWS_PATHS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Where a headless shell, Chrome or Chromium of the system may be, the best first. */
export function systemCandidates(surroundings: Surroundings): Candidate[] {
  const paths = systemPaths(surroundings);
  const shellsFirst = [...paths.filter(isShell), ...paths.filter((path) => !isShell(path))];
  return [...new Set(shellsFirst)].map((path) => ({ path, source: 'of the system' }));
}

function systemPaths({ platform, env, home }: Surroundings): string[] {
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA];
    return WINDOWS_PATHS.flatMap((path) =>
      roots.flatMap((root) => (root ? [win32.join(root, path)] : [])),
    );
  }
  const folders = (env.PATH || USUAL_PATH).split(':').filter((folder) => folder.startsWith('/'));
  const inPath = [...SHELLS, ...BROWSERS].flatMap((name) =>
    folders.map((folder) => posix.join(folder, name)),
  );
  if (platform !== 'darwin') return [...inPath, ...LINUX_PATHS];
  const applications = ['/Applications', posix.join(home, 'Applications')];
  const inApplications = MAC_PATHS.flatMap((path) =>
    applications.map((folder) => posix.join(folder, path)),
  );
  return [...inPath, ...inApplications];
}

/** What a program is by its name: only that tells, as both answer `--version` alike. */
export function kindOf(path: string): FoundChromium['kind'] {
  return isShell(path) ? 'headless-shell' : 'chrome';
}

const isShell = (path: string): boolean =>
  /headless[-_]shell/i.test(path.split(/[/\\]/).at(-1) ?? '');

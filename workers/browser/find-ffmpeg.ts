import { constants } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const NAMES = ['ffmpeg-linux', 'ffmpeg-mac'];

/** The ffmpeg that videos are made with: Playwright's own, else one of the system; null where there is none. */
export async function findFfmpeg(): Promise<string | null> {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH || defaultFolder();
  const own = (await namesIn(folder)).filter((name) => /^ffmpeg-\d+$/.test(name));
  const newestFirst = own.sort((a, b) => Number(b.slice(7)) - Number(a.slice(7)));
  const candidates = [
    ...newestFirst.flatMap((name) => NAMES.map((file) => join(folder, name, file))),
    ...(process.env.PATH ?? '').split(delimiter).map((path) => join(path, 'ffmpeg')),
  ];
  for (const path of candidates) if (await isProgram(path)) return await realpath(path);
  return null;
}

function defaultFolder(): string {
  const { XDG_CACHE_HOME } = process.env;
  const caches =
    process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Caches')
      : XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(caches, 'ms-playwright');
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

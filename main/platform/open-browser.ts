import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import writeFileAtomic from 'write-file-atomic';

/** What is known of the process that is to open a browser. */
export interface Surroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  stdout: { isTTY?: boolean };
}

/** Whether somebody started this on a desktop: at a terminal, with a display, neither over SSH nor in CI. */
export function isByHand({ platform, env, stdout }: Surroundings): boolean {
  const isElsewhere = env.CI || env.SSH_CONNECTION || env.SSH_TTY;
  const hasDisplay =
    platform === 'darwin' || platform === 'win32' || env.DISPLAY || env.WAYLAND_DISPLAY;
  return stdout.isTTY === true && !isElsewhere && Boolean(hasDisplay);
}

/**
 * Opens a link in the user's browser. Every user of a machine sees its command lines, and the link signs in:
 * so the browser is given a file of the data folder, which only its owner can read, and which leads there.
 *
 * @throws Error where the file cannot be written, or no program opens it
 */
export async function openBrowser(link: string, dataDir: string): Promise<void> {
  const file = join(dataDir, 'open.html');
  const target = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${target}">\n`;
  await writeFileAtomic(file, page, { mode: 0o600 });
  const [program, ...args] = openerOf(process.platform, pathToFileURL(file).href);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  await once(child, 'spawn');
  child.unref();
}

function openerOf(platform: NodeJS.Platform, url: string): [string, ...string[]] {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}

/** Where a browser of this machine finds an appliance: the address of all networks is none to open. */
export function openAddress(url: string): string {
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1');
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Options of util-linux's and busybox's `unshare`, which becomes the program that it starts: first for
 * whoever has the right to make a network namespace, then for whoever may make one in a user
 * namespace, as nobody there. No more is taken away: the addresses of an empty namespace reach nothing.
 */
const WAYS: readonly (readonly string[])[] = [
  ['-n', '--'],
  ['-U', '-n', '--'],
];
const TRY_MS = 5_000;

/**
 * What a script host is to be started with so that it has no network, as a program and its
 * arguments; empty where this machine has no way to do so, or forbids it. Tries each way once, which
 * takes some ten milliseconds.
 */
export async function findScriptLauncher(
  path: string = process.env.PATH ?? '',
  platform: NodeJS.Platform = process.platform,
): Promise<readonly string[]> {
  const program = platform === 'linux' ? programIn(path, 'unshare') : undefined;
  if (program === undefined) return [];
  for (const options of WAYS) {
    // Whether Node starts in it, as a sandbox may allow the namespace and not what is in it.
    const args = [...options, process.execPath, '--version'];
    if (await succeeds(program, args)) return [program, ...options];
  }
  return [];
}

/** A program of a `PATH`; undefined where none of its folders has it. */
export function programIn(path: string, name: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Whether a program ends well, without an environment and within some seconds. */
export async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { env: {}, stdio: 'ignore', timeout: TRY_MS });
  try {
    const [exitCode] = await once(child, 'exit');
    return exitCode === 0;
  } catch {
    // It cannot be started.
    return false;
  }
}

import { spawnSync } from 'node:child_process';
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
 * takes a few milliseconds.
 */
export function findScriptLauncher(
  path: string = process.env.PATH ?? '',
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const program = platform === 'linux' ? programIn(path, 'unshare') : undefined;
  if (program === undefined) return [];
  const launchers = WAYS.map((options) => [program, ...options]);
  return launchers.find(works) ?? [];
}

/** A program of a `PATH`; undefined where none of its folders has it. */
export function programIn(path: string, name: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Whether Node starts in it, as a sandbox may allow the namespace and not what is in it. */
function works([program = '', ...options]: readonly string[]): boolean {
  const args = [...options, process.execPath, '--version'];
  return spawnSync(program, args, { env: {}, stdio: 'ignore', timeout: TRY_MS }).status === 0;
}

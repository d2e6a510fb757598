import { tmpdir } from 'node:os';
import type { Settings } from '#main/platform/settings/table.ts';
import { bwrapArgs } from '#shared/sandbox/bubblewrap.ts';
import { programIn, succeeds } from './script-launcher.ts';

/**
 * The program bubblewrap, where the operator wants it and it works on this machine; else null. It is tried
 * once, with Node in it, as containers often allow the program and not what it does.
 */
export async function findBubblewrap(
  wanted: Settings['browserSandbox'],
  path: string = process.env.PATH ?? '',
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  if (wanted === 'off' || platform !== 'linux') return null;
  const program = programIn(path, 'bwrap');
  if (program === undefined) return null;
  const inside = { program: process.execPath, args: ['--version'], folder: tmpdir(), readable: [] };
  return (await succeeds(program, bwrapArgs(inside))) ? program : null;
}

import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Settings } from '#main/platform/settings/table.ts';
import { bwrapArgs } from '#shared/sandbox/bubblewrap.ts';
import { programIn } from './script-launcher.ts';

const TRY_MS = 5_000;

/**
 * The program bubblewrap, where the operator wants it and it works on this machine; else null. It is tried
 * once, with Node in it, as containers often allow the program and not what it does.
 */
export function findBubblewrap(
  wanted: Settings['browserSandbox'],
  path: string = process.env.PATH ?? '',
  platform: NodeJS.Platform = process.platform,
): string | null {
  if (wanted === 'off' || platform !== 'linux') return null;
  const program = programIn(path, 'bwrap');
  return program !== undefined && works(program) ? program : null;
}

function works(bwrap: string): boolean {
  const inside = { program: process.execPath, args: ['--version'], folder: tmpdir(), readable: [] };
  const options = { env: {}, stdio: 'ignore', timeout: TRY_MS } as const;
  return spawnSync(bwrap, bwrapArgs(inside), options).status === 0;
}

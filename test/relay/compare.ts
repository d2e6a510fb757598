import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Renames } from './renames.ts';

/**
 * Compares two recordings byte for byte.
 *
 * @param renames applied to the old one first
 * @returns a unified diff of the files that differ; empty where none does
 */
export async function compare(old: string, next: string, renames: Renames): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wp-compare-'));
  try {
    // Copies with short names, which the diff shows.
    cpSync(next, join(folder, 'new'), { recursive: true });
    mkdirSync(join(folder, 'old'));
    for (const name of readdirSync(old)) {
      const text = readFileSync(join(old, name), 'utf8');
      writeFileSync(join(folder, 'old', name), renames.toNew(text));
    }
    return await diff(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function diff(cwd: string): Promise<string> {
  const args = ['diff', '--no-index', '--no-color', '--no-prefix', 'old', 'new'];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile('git', args, { cwd, maxBuffer: 1e9 }, (error, out) => {
    // 1: they differ.
    if (error === null || error.code === 1) resolve(out);
    else reject(error);
  });
  return promise;
}

/** How much a recording holds, in words. */
export function sizeOf(folder: string): string {
  const session = readFileSync(join(folder, 'session.txt'), 'utf8');
  const calls = session.split('\n').filter((line) => line.startsWith('=== ')).length;
  return `${calls} calls, ${readdirSync(folder).length} files`;
}

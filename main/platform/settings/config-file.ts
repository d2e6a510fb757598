import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigFile } from './read.ts';

/** Reads `config.json` of a data folder. A folder or file that is not there holds no settings. */
export function readConfigFile(dataDir: string): ConfigFile {
  try {
    return { kind: 'text', text: readFileSync(join(dataDir, 'config.json'), 'utf8') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    if (code !== undefined) return { kind: 'unreadable', reason: code };
    throw error;
  }
}

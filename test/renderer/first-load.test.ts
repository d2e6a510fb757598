import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { currentBuild, RENDERER } from '../../main/platform/builds.js';
import { ensureBuild } from '../../scripts/installation.js';

const LIMIT_BYTES = 180_000;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

let folder: string;
let chunks: Record<string, Chunk>;
beforeAll(() => {
  expect(ensureBuild(process.cwd(), RENDERER)).toBe(0);
  folder = currentBuild(process.cwd(), RENDERER) ?? '';
  chunks = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
});

/** A chunk with all that it imports. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const other of chunks[name]?.imports ?? []) withImports(other, found);
  return found;
}

describe('the first load is under 180 KB of compressed script', () => {
  // Of what it loads later there is more: charts, editors, what opens over the page.
  test.each(['checks', 'check', 'result', 'alerts', 'heartbeats', 'session', 'sign-in'])(
    'of the screen %s, also where no browser takes Brotli, as without TLS',
    (name) => {
      const entries = Object.keys(chunks).filter((key) => chunks[key]?.isEntry);
      const screen = `screens/${name}/${name}-screen.tsx`;
      expect(entries).toHaveLength(1);
      expect([chunks['interface.tsx'], chunks[screen]]).not.toContain(undefined);
      const files = [...entries, 'interface.tsx', screen].reduce(
        (all, one) => withImports(one, all),
        new Set<string>(),
      );
      const bytes = [...files]
        .map((key) => join(folder, `${chunks[key]?.file}.gz`))
        .reduce((sum, path) => sum + statSync(path).size, 0);
      expect(bytes).toBeLessThan(LIMIT_BYTES);
    },
  );
});

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRenderer, buildsFolder, currentBuild } from '../../scripts/renderer-build.js';

const LIMIT_BYTES = 180_000;

test('the first load is under 180 KB of compressed script', () => {
  expect(buildRenderer(process.cwd())).toBe(0);
  const folder = join(buildsFolder(process.cwd()), currentBuild(process.cwd()) ?? '');
  const document = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = [...document.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
    ([, path = '']) => path,
  );
  // The largest screen that may come with it: the others are asked for when they are opened.
  const screens = readdirSync(join(folder, 'assets'))
    .filter((name) => /-screen-[\w-]+\.js$/.test(name))
    .map((name) => join('assets', name));
  const bytesOf = (path: string) => statSync(join(folder, `${path}.br`)).size;
  const bytes =
    first.reduce((sum, path) => sum + bytesOf(path), 0) + Math.max(...screens.map(bytesOf));
  expect(first.length).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
});

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { APPLIANCE, currentBuild } from '../../main/platform/builds.js';
import { ensureBuild } from '../../scripts/installation.js';

/** URLs of the files of ours that a command loads. */
function loadedBy(command: string, cwd = process.cwd()): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'wp-loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { status } = spawnSync(process.execPath, ['main/start.js', command], { env, cwd });
  expect(status).toBe(0);
  return readdirSync(folder).flatMap((file) => {
    const coverage = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      result: { url: string }[];
    };
    return coverage.result.map(({ url }) => url).filter((url) => !url.startsWith('node:'));
  });
}

test('what is started is the bundle, where it is of the sources at hand', () => {
  expect(ensureBuild(process.cwd(), APPLIANCE)).toBe(0);
  const bundle = currentBuild(process.cwd(), APPLIANCE) ?? 'none';
  const urls = loadedBy('--version');
  expect(urls.some((url) => url.includes(bundle))).toBe(true);
  expect(urls.filter((url) => url.endsWith('.ts'))).toEqual([]);
});

test('where node_modules is a link, such as to that of another checkout, the sources are run', () => {
  expect(ensureBuild(process.cwd(), APPLIANCE)).toBe(0);
  const checkout = realpathSync(mkdtempSync(join(tmpdir(), 'wp-linked-')));
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  for (const source of APPLIANCE.sources)
    cpSync(source, join(checkout, source), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'), 'dir');
  expect(currentBuild(checkout, APPLIANCE)).not.toBeNull();
  const urls = loadedBy('--version', checkout);
  expect(urls).toContain(pathToFileURL(join(checkout, 'main', 'cli.ts')).href);
  expect(urls.filter((url) => url.includes('watchpost-appliance'))).toEqual([]);
});

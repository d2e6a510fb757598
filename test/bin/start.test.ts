import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { APPLIANCE, currentBuild } from '../../main/platform/builds.js';
import { ensureBuild } from '../../scripts/installation.js';

/** URLs of the files of ours that a command loads. */
function loadedBy(command: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'wp-loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { status } = spawnSync(process.execPath, ['main/start.js', command], { env });
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

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RUNTIME_IDS } from '#shared/checks/enums.ts';
import { packagesOf } from '#shared/sandbox/packages.ts';
import { runtimeModules } from '#workers/browser/runtime-modules.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchpost-modules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** What a script prints that stands beside a link to the packages of a runtime. */
async function printed(runtimeId: string, name: string, code: string): Promise<string> {
  const folder = await temporaryFolder();
  const modules = await runtimeModules(runtimeId, join(folder, 'cache'));
  await symlink(modules.folder, join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, name), code);
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, name)], {
    encoding: 'utf8',
    env: {},
  });
  return stdout.trim() || stderr;
}

test.each(RUNTIME_IDS)('scripts of %s can load each of its packages', async (runtimeId) => {
  const names = Object.keys(packagesOf(runtimeId));
  const code = `const names = ${JSON.stringify(names)};
    console.log(names.filter((name) => Object(require(name)) === require(name)).join());`;
  expect(await printed(runtimeId, 'all.cjs', code)).toBe(names.join());
});

test.each([
  ['2026.04', `import axios from 'axios'; console.log(axios.VERSION)`, /^1\./],
  ['2025.04', `import axios from 'axios'; console.log(axios.VERSION)`, /^0\./],
  ['2023.09', `import tz from 'date-fns-tz'; console.log(typeof tz.utcToZonedTime)`, /^function$/],
  ['2026.04', `import * as tz from 'date-fns-tz'; console.log(typeof tz.utcToZonedTime)`, /^undef/],
  [
    '2024.02',
    `import light from 'protobufjs/light.js'; console.log(typeof light.Root)`,
    /function/,
  ],
  ['2022.10', `import 'zod'`, /Cannot find package 'zod'/],
])('%s: %s', async (runtimeId, code, expected) => {
  expect(await printed(runtimeId, 'one.mjs', code)).toMatch(expected);
});

test('a test and its helpers get one and the same Playwright', async () => {
  const code = `import { test } from '@playwright/test';
    import { test as same } from 'playwright/test';
    console.log(test === same);`;
  expect(await printed('2026.04', 'one.mjs', code)).toBe('true');
});

test('the links are made once, whole, and those of a version before are removed', async () => {
  const cache = await temporaryFolder();
  const former = join(cache, 'runtimes', '2026.04-0123456789ab');
  await mkdir(former, { recursive: true });
  const both = await Promise.all([
    runtimeModules('2026.04', cache),
    runtimeModules('2026.04', cache),
  ]);
  expect(both[0]).toEqual(both[1]);
  const other = await runtimeModules('2025.04', cache);
  expect(other.folder).not.toBe(both[0].folder);
  expect((await readdir(join(cache, 'runtimes'))).sort()).toEqual(
    [other, both[0]].map(({ folder }) => folder.split('/').at(-2)),
  );
  await writeFile(join(both[0].folder, 'mark'), '');
  await runtimeModules('2026.04', cache);
  expect(await readdir(both[0].folder)).toContain('mark');
});

test('what a cage must show holds all that the links lead to', async () => {
  const cache = await temporaryFolder();
  const { folder, readable } = await runtimeModules('2026.04', cache);
  expect(readable.some((path) => folder.startsWith(path))).toBe(true);
  expect(readable).toHaveLength(3);
});

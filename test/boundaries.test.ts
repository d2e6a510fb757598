import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');

const FILES: Record<string, string> = {
  'shared/node.ts': `import { join } from 'node:path';\nexport const a = join('a', 'b');`,
  'shared/package.ts': `export { default } from 'express';`,
  'shared/to-main.ts': `export { a } from '#main/a.ts';`,
  'shared/rules/to-main-relative.ts': `export { a } from '../../main/a.ts';`,
  'shared/types-of-workers.ts': `export type { A } from '../workers/a.ts';`,
  'shared/process.ts': `export const home = () => process.env.HOME;`,
  'shared/dom.ts': `export const title = () => document.title;`,
  'shared/timer.ts': `export const wait = () => setTimeout(() => {}, 1);`,
  'main/to-workers.ts': `export { a } from '#workers/a.ts';`,
  'main/dispatch/to-workers-relative.ts': `export { a } from '../../workers/a.ts';`,
  'main/dispatch/at-run-time.ts': `export const load = () => import('../../workers/a.ts');`,
  'main/to-renderer.ts': `export { a } from '../renderer/a.ts';`,
  'main/to-test.ts': `export { a } from '../test/fixtures/a.ts';`,
  'main/electron.ts': `export { app } from 'electron';`,
  'workers/to-main.ts': `export { a } from '#main/a.ts';`,
  'workers/net/to-main-relative.ts': `export { a } from '../../main/a.ts';`,
  'workers/sandbox/to-script-host.ts': `export { a } from './host/a.ts';`,
  'workers/sandbox/host/to-main.ts': `export { a } from '#main/a.ts';`,
  'workers/sandbox/host/to-workers.ts': `export { a } from '../a.ts';`,
  'workers/electron.ts': `export { app } from 'electron';`,
  'renderer/to-main.ts': `export { a } from '#main/a.ts';`,
  'renderer/to-workers.ts': `export { a } from '../workers/a.ts';`,
  'renderer/node.ts': `export { join } from 'node:path';`,
  'main/desktop/to-workers.ts': `export { a } from '#workers/a.ts';`,
  'test/electron.ts': `export { app } from 'electron';`,
  // A cycle over an alias, and one of types only.
  'shared/cycle-1.ts': `import { two } from '#shared/cycle-2.ts';\nexport const one = () => two;`,
  'shared/cycle-2.ts': `import { one } from '#shared/cycle-1.ts';\nexport const two = () => one;`,
  'shared/type-cycle-1.ts': `import type { B } from './type-cycle-2.ts';\nexport type A = B | 1;`,
  'shared/type-cycle-2.ts': `import type { A } from './type-cycle-1.ts';\nexport type B = A[];`,
};

const ALLOWED: Record<string, string> = {
  'shared/good.ts': `import { z } from 'zod';\nimport { a } from '#shared/a.ts';\nexport const b = z.literal(a);`,
  'shared/a.ts': `export const a = 1;`,
  'main/good.ts': `import { join } from 'node:path';\nimport { a } from '#shared/a.ts';\nexport const b = join(String(a), import.meta.dirname);`,
  'main/dispatch/good.ts': `export const pool = new URL('../../workers/thread.ts', import.meta.url);`,
  'main/desktop/good.ts': `export { app } from 'electron';`,
  'workers/good.ts': `import { connect } from 'node:net';\nimport { a } from '#shared/a.ts';\nexport const b = () => connect(a);`,
  'workers/sandbox/host/good.ts': `import { hash } from 'node:crypto';\nimport { a } from '#shared/a.ts';\nexport const b = hash('md5', String(a));`,
  'renderer/good.ts': `export { a } from '#shared/a.ts';`,
};

/** The rule that each bad file breaks. */
const RULES: Record<string, string> = {
  'shared/process.ts': 'noRestrictedGlobals',
  'shared/dom.ts': 'noRestrictedGlobals',
  'shared/timer.ts': 'noRestrictedGlobals',
  'shared/cycle-1.ts': 'noImportCycles',
  'shared/cycle-2.ts': 'noImportCycles',
  'shared/type-cycle-1.ts': 'noImportCycles',
  'shared/type-cycle-2.ts': 'noImportCycles',
};

let folder = '';
let found: Map<string, Set<string>>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchpost-boundaries-'));
  for (const name of ['biome.json', 'package.json']) cpSync(join(ROOT, name), join(folder, name));
  for (const [path, text] of Object.entries({ ...FILES, ...ALLOWED })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  found = lint();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The names of the rules that each file breaks. */
function lint(): Map<string, Set<string>> {
  const args = [BIOME, 'lint', '--reporter=github', '--max-diagnostics=none', '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const broken = new Map<string, Set<string>>();
  for (const [, rule = '', path = ''] of stdout.matchAll(
    /^::error title=lint\/([^,]+),file=([^,]+)/gm,
  )) {
    const file = path.slice(path.lastIndexOf(folder) + folder.length).replace(/^\//, '');
    broken.set(file, (broken.get(file) ?? new Set()).add(rule.split('/').at(-1) ?? rule));
  }
  return broken;
}

describe('the linter refuses', () => {
  test.each(Object.entries(FILES))('%s', (path) => {
    expect([...(found.get(path) ?? [])]).toContain(RULES[path] ?? 'noRestrictedImports');
  });
});

describe('the linter accepts', () => {
  test.each(Object.entries(ALLOWED))('%s', (path) => {
    expect([...(found.get(path) ?? [])]).toEqual([]);
  });
});

import { chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { removeFolder } from '#workers/browser/cage/run-folders.ts';
import { BWRAP } from '../../../fixtures/cages.ts';
import { type ProjectFiles, SuiteLab } from '../../../fixtures/suite-lab.ts';

let lab: SuiteLab;
beforeEach(() => {
  lab = new SuiteLab(BWRAP);
});
afterEach(() => lab.close());

/** What a package manager of the test does: it makes one package, which says how it was called. */
const MANAGER = `#!/bin/sh
mkdir -p node_modules/tea
echo "exports.by = '$(basename "$0") $*';" > node_modules/tea/index.js`;

/** Lets this machine have these package managers and no others. */
function haveManagers(...names: string[]): void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wpm-')));
  onTestFinished(() => removeFolder(folder));
  for (const name of names) {
    writeFileSync(join(folder, name), MANAGER);
    chmodSync(join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

const SPEC = `import { expect, test } from '@playwright/test';
import { by } from 'tea';
test('says by what it was installed', () => expect(by).toBe('nothing'));`;

const projectOf = (lockFile: string): ProjectFiles => ({
  'package.json': JSON.stringify({ dependencies: { tea: '1.0.0' } }),
  'tea.spec.ts': SPEC,
  // Empty ones are no files of a check.
  [lockFile]: '\n',
});

const CASES = [
  ['package-lock.json', 'npm', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm', 'npm ci'],
  ['pnpm-lock.yaml', 'pnpm', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn', 'yarn install --frozen-lockfile'],
  ['bun.lock', 'bun', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun', 'bun install --frozen-lockfile'],
] as const;

describe.each(CASES)('a project with %s', (lockFile, manager, command) => {
  test(`is installed by ${command}`, async () => {
    haveManagers('npm', 'pnpm', 'yarn', 'bun');
    const { failure } = await lab.run(projectOf(lockFile));
    expect(failure?.message).toContain(`Received: "${command}"`);
  });

  test(`fails on a machine without ${manager}, and says so`, async () => {
    haveManagers();
    const result = await lab.run(projectOf(lockFile));
    expect(result).toMatchObject({ hasFailures: true, hasErrors: false });
    expect(result.failure).toEqual({
      cause: 'SCRIPT',
      message: `The project has ${lockFile}, and ${manager}, which installs by it, is not on the machine of Watchpost.`,
    });
  });
});

test('the command of the check comes before that of the lock file', async () => {
  haveManagers('npm', 'pnpm');
  const check = { installCommand: 'pnpm install --no-optional' };
  const { failure } = await lab.run(projectOf('package-lock.json'), { check });
  expect(failure?.message).toContain('Received: "pnpm install --no-optional"');
});

test('the lock file nearest to the working folder counts, and runs in its own folder', async () => {
  haveManagers('npm', 'pnpm');
  const own = Object.entries(projectOf('pnpm-lock.yaml')).map(([path, text]) => [
    `web/${path}`,
    text,
  ]);
  const files = { ...projectOf('package-lock.json'), ...Object.fromEntries(own) };
  const { failure, found } = await lab.run(files, { check: { workingDir: 'web' } });
  expect(failure?.message).toContain('Received: "pnpm install --frozen-lockfile"');
  expect(found.testCount).toBe(1);
});

test('a check that is to run with Bun fails on a machine without it, and says so', async () => {
  haveManagers('npm');
  const files = { 'a.spec.ts': SPEC };
  const { failure } = await lab.run(files, { check: { engine: 'bun' } });
  expect(failure?.message).toBe(
    'The check is to run with Bun (engine), which is not on the machine of Watchpost.',
  );
});

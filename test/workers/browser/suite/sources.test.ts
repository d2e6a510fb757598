import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ArchiveEntry, tarGzOf, zipOf } from '../../../fixtures/archives.ts';
import { BWRAP } from '../../../fixtures/cages.ts';
import { type ProjectFiles, SuiteLab } from '../../../fixtures/suite-lab.ts';

let lab: SuiteLab;
beforeEach(() => {
  lab = new SuiteLab(BWRAP);
});
afterEach(() => lab.close());

const specOf = (expectation: string) => `import { expect, test } from '@playwright/test';
import { price } from './tea';
test('tea has its price', () => ${expectation});`;
const SHOP: ProjectFiles = {
  'tests/tea.ts': 'export const price = 3;',
  'tests/tea.spec.ts': specOf('expect(price).toBe(3)'),
};

const runOf = (codeBundlePath: string, check: object = {}) =>
  lab.runCheck({ check: { codeBundlePath, dependencies: [], ...check } });

const NOT_ALLOWED =
  'The folder of the project is not there, or in none that WATCHPOST_PLAYWRIGHT_FOLDERS names.';

describe('a folder of this machine', () => {
  test.each([
    ['its path', (path: string) => path],
    ['its URL', (path: string) => `file://${path}`],
  ])('runs by %s, as it is then', async (_, named) => {
    const folder = lab.write('shop', SHOP);
    expect((await runOf(named(folder))).failure).toBeNull();
    writeFileSync(join(folder, 'tests/tea.ts'), 'export const price = 4;');
    expect((await runOf(named(folder))).failure?.message).toContain('Received: 4');
  });

  test('is not changed by its runs', async () => {
    const folder = lab.write('shop', {
      ...SHOP,
      'tests/writes.spec.ts': `import { test } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
test('writes', () => {
  writeFileSync('tests/tea.ts', '');
  mkdirSync('made');
});`,
    });
    expect((await runOf(folder)).failure).toBeNull();
    expect(readdirSync(folder)).toEqual(['tests']);
    expect((await runOf(folder)).failure).toBeNull();
  });

  test('brings its packages, which are used as they are', async () => {
    const folder = lab.write('shop', {
      ...SHOP,
      'package.json': JSON.stringify({ dependencies: { coffee: '1.0.0' } }),
      'package-lock.json': '{}',
      'node_modules/coffee/index.js': 'exports.price = 5;',
      'tests/coffee.spec.ts': `import { expect, test } from '@playwright/test';
import { price } from 'coffee';
test('coffee has its price', () => expect(price).toBe(5));`,
    });
    const result = await runOf(folder);
    expect(result.failure).toBeNull();
    expect(result.found.testCount).toBe(2);
  });

  test.each([
    ['outside of those that are allowed', () => lab.data.runsFolder],
    ['above them', () => lab.folder],
    [
      'beside one, with a name that begins like its name',
      () => {
        const folder = lab.write('shop', SHOP);
        renameSync(folder, `${join(lab.folder, 'allowed')}-too`);
        return `${join(lab.folder, 'allowed')}-too`;
      },
    ],
    [
      'to which an allowed name leads by ..',
      () => `${join(lab.folder, 'allowed')}/../installs-of-others`,
    ],
    [
      'to which a link in an allowed one leads',
      () => {
        mkdirSync(join(lab.folder, 'other'));
        symlinkSync(join(lab.folder, 'other'), join(lab.folder, 'allowed', 'link'));
        return join(lab.folder, 'allowed', 'link');
      },
    ],
    [
      'that is a file',
      () => {
        lab.write('', { file: '' });
        return join(lab.folder, 'allowed', 'file');
      },
    ],
    ['that is not there', () => join(lab.folder, 'allowed', 'none')],
  ])('%s does not run', async (_, folder) => {
    const result = await runOf(folder());
    expect(result).toMatchObject({ hasFailures: true, hasErrors: false });
    expect(result.failure).toEqual({ cause: 'SCRIPT', message: NOT_ALLOWED });
    expect(result.found.errors).toEqual([{ message: NOT_ALLOWED }]);
  });

  test.each([
    ['absolute', '/etc'],
    ['relative', '../../..'],
  ])('with a link that climbs out, %s, does not run', async (_, target) => {
    const folder = lab.write('shop', SHOP);
    symlinkSync(target, join(folder, 'tests', 'link'));
    const { failure } = await runOf(folder);
    expect(failure?.message).toBe('"tests/link" is a link that leads out of the project.');
  });

  test('of which a part became a link to elsewhere after it was saved does not run', async () => {
    const folder = lab.write('a/shop', SHOP);
    expect((await runOf(folder)).failure).toBeNull();
    rmSync(join(lab.folder, 'allowed', 'a'), { recursive: true });
    mkdirSync(join(lab.folder, 'other/shop'), { recursive: true });
    symlinkSync(join(lab.folder, 'other'), join(lab.folder, 'allowed', 'a'));
    expect((await runOf(folder)).failure?.message).toBe(NOT_ALLOWED);
  });
});

const entriesOf = (files: ProjectFiles): ArchiveEntry[] =>
  Object.entries(files).map(([name, content]) => ({ name, content }));

describe('an uploaded archive', () => {
  test.each([
    ['tar.gz', tarGzOf],
    ['zip', async (entries: ArchiveEntry[]) => zipOf(entries)],
  ])('runs as a %s', async (_, archiveOf) => {
    const path = lab.upload(await archiveOf(entriesOf(SHOP)));
    const result = await runOf(path);
    expect(result.failure).toBeNull();
    expect(result.found.tests).toMatchObject([
      { title: 'tea has its price', file: 'tests/tea.spec.ts', status: 'passed' },
    ]);
  });

  test('has files of the check in the place of its own', async () => {
    const path = lab.upload(await tarGzOf(entriesOf(SHOP)));
    const dependencies = [{ path: 'tests/tea.ts', content: 'export const price = 4;' }];
    const { failure } = await runOf(path, { dependencies });
    expect(failure?.message).toContain('Received: 4');
  });

  test('runs in the folder of it that the check names', async () => {
    const inside = Object.entries(SHOP).map(([name, content]) => [`web/${name}`, content]);
    const more = { 'tests/red.spec.ts': specOf('expect(price).toBe(0)') };
    const files = { ...Object.fromEntries(inside), ...more };
    const path = lab.upload(await tarGzOf(entriesOf(files)));
    const result = await runOf(path, { workingDir: './web' });
    expect(result.failure).toBeNull();
    expect(result.found.testCount).toBe(1);
    for (const workingDir of ['../..', 'web/tests/tea.ts', 'none']) {
      const { failure } = await runOf(path, { workingDir });
      expect(failure?.message).toMatch(/^workingDir ".+"(: .+| is no folder of the project)\.$/);
    }
  });

  test.each<[string, ArchiveEntry[], string]>([
    [
      'a file that climbs out',
      [{ name: '../out.spec.ts', content: 'x' }],
      'The path "../out.spec.ts": ',
    ],
    [
      'a link that climbs out',
      [{ name: 'tests/link', type: 'symlink', linkname: '../../..' }],
      '"tests/link" is a link that leads out of the project.',
    ],
    [
      'a file below a link',
      [
        { name: 'link', type: 'symlink', linkname: 'tests' },
        { name: 'link/out.spec.ts', content: 'x' },
      ],
      'The path "link" is there twice, as a file, a folder or a link.',
    ],
    [
      'far more than its own size',
      [{ name: 'zeros', content: Buffer.alloc(20 * 1024 ** 2) }],
      'The archive holds more than 100 times its own size, as no project does.',
    ],
  ])('with %s does not run, and leaves nothing', async (_, entries, message) => {
    const result = await runOf(lab.upload(await tarGzOf([...entriesOf(SHOP), ...entries])));
    expect(result).toMatchObject({ hasFailures: true, hasErrors: false });
    expect(result.failure?.message).toContain(message);
    expect(foldersOfRuns()).toEqual([]);
    expect(readdirSync(lab.folder).toSorted()).toEqual(['allowed', 'bundles', 'r']);
  });

  test('that is damaged, or not there any more, does not run, and says so', async () => {
    const archive = await tarGzOf(entriesOf(SHOP));
    const { failure } = await runOf(lab.upload(archive.subarray(0, archive.length / 2)));
    expect(failure?.message).toMatch(/^The archive is damaged: /);
    const gone = await runOf(`code-bundles/${'0'.repeat(64)}`);
    expect(gone.failure?.message).toBe(
      'The archive of the project is not there any more: upload it again.',
    );
  });
});

/** Each in one of the thread that made it. */
function foldersOfRuns(): string[] {
  const { runsFolder } = lab.data;
  return readdirSync(runsFolder).flatMap((thread) => readdirSync(join(runsFolder, thread)));
}

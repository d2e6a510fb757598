import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { scriptFiles } from '#shared/checks/script-files.ts';
import { TRANSFORMED_FILE } from '#workers/browser/spec/job.ts';
import { keyOf, Transforms } from '#workers/browser/transforms.ts';
import { BWRAP } from '../../fixtures/cages.ts';
import { ScriptLab } from '../../fixtures/script-lab.ts';

const lab = new ScriptLab(BWRAP);
afterAll(() => lab.close());

const IMPORT = `import { test } from '@playwright/test';`;

describe('the second run of a check', () => {
  test.each([
    ['a script', 'check.spec.ts'],
    ['a module', 'check.spec.mts'],
  ])('finds %s made ready, and tells of errors the same', async (_, scriptPath) => {
    const script = `import { existsSync } from 'node:fs';
${IMPORT}
import { price } from './lib/prices${scriptPath.endsWith('.mts') ? '.mts' : ''}';
interface Unused { at: number }

// Where Playwright writes what it makes ready.
test('fails', () => {
  console.log(existsSync('.watchpost/transformed') ? 'made ready now' : 'was ready');
  price('tea' as string);
});`;
    const extension = scriptPath.endsWith('.mts') ? 'mts' : 'ts';
    const content = `export function price(name: string): number {
  throw new Error('no price of ' + name);
}`;
    const dependencies = [{ path: `lib/prices.${extension}`, content }];
    const check = { id: `twice ${scriptPath}`, script, scriptPath, dependencies };
    const first = await lab.multiStep(script, { check });
    const second = await lab.multiStep(script, { check });
    expect(first.failure?.message).toBe(`fails: no price of tea (lib/prices.${extension}:2)`);
    expect(second.failure).toEqual(first.failure);
    const ways = [first, second].map(({ found }) => found.jobLog.map(({ msg }) => msg));
    expect(ways).toMatchObject([
      expect.arrayContaining(['made ready now']),
      expect.arrayContaining(['was ready']),
    ]);
    const [error] = second.found.errors;
    expect(error).toEqual(first.found.errors[0]);
    expect(error?.snippet).toContain("> 2 |   throw new Error('no price of ' + name);");
  });
});

describe('what runs of checks leave for the next', () => {
  const folderWith = (content: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'wpt-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, TRANSFORMED_FILE, '..'));
    writeFileSync(join(folder, TRANSFORMED_FILE), content);
    return folder;
  };

  test('is theirs alone, and of the same files', () => {
    const files = (script: string) => scriptFiles({ script }, {});
    const keys = [
      keyOf('a', files('1')),
      keyOf('b', files('1')),
      keyOf('a', files('2')),
      keyOf('a', scriptFiles({ script: '1', dependencies: [{ path: 'b.ts', content: '' }] }, {})),
    ];
    expect(new Set(keys).size).toBe(4);
    expect(keyOf('a', files('1'))).toBe(keys[0]);
  });

  test('is kept up to a size, what was used last the longest', async () => {
    const transforms = new Transforms({ entryBytes: 4, allBytes: 6 });
    await transforms.take(folderWith('one'), '1');
    await transforms.take(folderWith('two'), '2');
    expect(transforms.get('1')?.toString()).toBe('one');
    await transforms.take(folderWith('too large'), '3');
    await transforms.take(folderWith('four'), '4');
    expect(['1', '2', '3', '4'].map((key) => transforms.get(key)?.toString())).toEqual(
      // The first was used after the second, and both are too much with the fourth.
      [undefined, undefined, undefined, 'four'],
    );
  });

  test('is no file from elsewhere', async () => {
    const folder = folderWith('');
    rmSync(join(folder, TRANSFORMED_FILE));
    symlinkSync('/etc/hostname', join(folder, TRANSFORMED_FILE));
    const transforms = new Transforms();
    await transforms.take(folder, '1');
    expect(transforms.get('1')).toBeNull();
  });
});

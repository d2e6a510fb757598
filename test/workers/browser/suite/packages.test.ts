import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BWRAP } from '../../../fixtures/cages.ts';
import { NpmRegistry } from '../../../fixtures/npm-registry.ts';
import { SuiteLab } from '../../../fixtures/suite-lab.ts';

let registry: NpmRegistry;
let lab: SuiteLab;
beforeEach(async () => {
  registry = new NpmRegistry();
  await registry.start();
  lab = new SuiteLab(BWRAP);
});
afterEach(async () => {
  await lab.close();
  registry.close();
});

/** How many sets of packages are kept. */
const kept = () => readdirSync(lab.installs).length;

describe('the packages of a project', () => {
  test('are installed once for all runs with the same lock file, also for two at once', async () => {
    const files = await registry.project(3);
    const both = await Promise.all([lab.run(files), lab.run(files)]);
    const later = await lab.run(files);
    expect([...both, later].map(({ failure }) => failure)).toEqual([null, null, null]);
    expect(registry.requests).toEqual(['/tea/-/tea-3.0.0.tgz']);
    expect(later.artifact('output.log').toString()).not.toContain('Packages are installed');
    expect(kept()).toBe(1);
  });

  test('are others after the lock file changed, and the earlier ones are not forgotten', async () => {
    const [three, four] = [await registry.project(3), await registry.project(4)];
    for (const files of [three, four, three, four]) {
      expect((await lab.run(files)).failure).toBeNull();
    }
    expect(registry.requests).toEqual(['/tea/-/tea-3.0.0.tgz', '/tea/-/tea-4.0.0.tgz']);
    expect(kept()).toBe(2);
  });

  test('are installed anew where the session asks for it', async () => {
    const files = await registry.project(3);
    await lab.run(files);
    expect((await lab.run(files, { installsAnew: true })).failure).toBeNull();
    expect(registry.requests).toHaveLength(2);
  });

  test('go when there is no room for them, those first that were used least recently', async () => {
    await lab.close();
    lab = new SuiteLab(BWRAP, { installBytes: 1 });
    const [three, four] = [await registry.project(3), await registry.project(4)];
    for (const files of [three, four, three]) {
      expect((await lab.run(files)).failure).toBeNull();
      // Those in use stay until the next are there.
      expect(kept()).toBe(1);
    }
    expect(registry.requests).toHaveLength(3);
  });

  test('that are folders of the project itself are there in every run', async () => {
    const own = { name: 'shop', version: '1.0.0', dependencies: { tea: 'file:packages/tea' } };
    const tea = { name: 'tea', version: '3.0.0', main: 'index.js' };
    const lock = {
      ...{ name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true },
      packages: {
        '': own,
        'node_modules/tea': { resolved: 'packages/tea', link: true },
        'packages/tea': { version: '3.0.0' },
      },
    };
    const files = {
      ...(await registry.project(3)),
      'package.json': JSON.stringify(own),
      'package-lock.json': JSON.stringify(lock),
      'packages/tea/package.json': JSON.stringify(tea),
      'packages/tea/index.js': 'exports.price = 3;',
    };
    for (const index of ['exports.price = 3;', 'exports.price = 2 + 1;']) {
      const { failure } = await lab.run({ ...files, 'packages/tea/index.js': index });
      expect(failure).toBeNull();
    }
    expect(registry.requests).toEqual([]);
    expect(kept()).toBe(1);
  });

  test.skipIf(BWRAP === null)('cannot be changed by a run for the next one', async () => {
    const spec = `import { expect, test } from '@playwright/test';
import { writeFileSync } from 'node:fs';
test('breaks what others use', () => writeFileSync(require.resolve('tea'), 'exports.price = 0;'));`;
    const changing = await lab.run(await registry.project(3, spec));
    expect(changing.failure?.message).toContain('EROFS');
    expect((await lab.run(await registry.project(3))).failure).toBeNull();
    expect(registry.requests).toHaveLength(1);
  });
});

describe('packages that cannot be installed', () => {
  test('end the run as an error of ours with the reason, and nothing of them is kept', async () => {
    const files = await registry.project(3);
    const lock = (files['package-lock.json'] ?? '').replaceAll('tea-3.0.0.tgz', 'tea-9.0.0.tgz');
    const result = await lab.run({ ...files, 'package-lock.json': lock });
    expect(result).toMatchObject({ hasErrors: true, hasFailures: false });
    expect(result.failure?.message).toMatch(
      /^The packages of the project could not be installed: npm ci ended with exit code 1: npm error/,
    );
    expect(result.found.tests).toEqual([]);
    expect(kept()).toBe(0);
    // Another archive than the one that was locked.
    const wrong = (files['package-lock.json'] ?? '').replace(/sha512-..../, 'sha512-AAAA');
    const other = await lab.run({ ...files, 'package-lock.json': wrong });
    expect(other.failure?.message).toContain('EINTEGRITY');
    expect((await lab.run(files)).failure).toBeNull();
  });

  test('as the run is cancelled meanwhile leave nothing, and the next run installs them', async () => {
    const files = await registry.project(3);
    const cancelling = new AbortController();
    const asked = registry.hold();
    const running = lab.run(files, { signal: cancelling.signal });
    await asked;
    cancelling.abort();
    const result = await running;
    expect(result).toMatchObject({ hasErrors: true, failure: { cause: 'CANCELLED' } });
    expect(kept()).toBe(0);
    expect((await lab.run(files)).failure).toBeNull();
  });
});

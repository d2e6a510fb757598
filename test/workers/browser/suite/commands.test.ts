import { afterAll, describe, expect, test } from 'vitest';
import { BWRAP } from '../../../fixtures/cages.ts';
import { type ProjectFiles, SuiteLab } from '../../../fixtures/suite-lab.ts';

const lab = new SuiteLab(BWRAP);
afterAll(() => lab.close());

const IMPORT = `import { expect, test } from '@playwright/test';`;

/** Four tests in two projects, without a browser. */
const SHOP: ProjectFiles = {
  'package.json': JSON.stringify({ scripts: { e2e: 'playwright test --project desktop' } }),
  'playwright.config.ts': `import { defineConfig } from '@playwright/test';
export default defineConfig({ projects: [{ name: 'desktop' }, { name: 'phone' }] });`,
  'tests/a.spec.ts': `${IMPORT}\ntest('opens @smoke', () => {});`,
  'tests/b.spec.ts': `${IMPORT}\ntest('sells', { tag: ['@slow', '@smoke-later'] }, () => {});`,
};

const run = (testCommand: string, files: ProjectFiles = SHOP, check: object = {}) =>
  lab.run(files, { check: { testCommand, ...check } });

describe('the command of a check', () => {
  test.each([
    [
      'npx playwright test',
      ['opens @smoke [desktop]', 'sells [desktop]', 'opens @smoke [phone]', 'sells [phone]'],
    ],
    ['npx playwright test --grep "@smoke(?!-)" --project phone', ['opens @smoke [phone]']],
    ['npx playwright test --grep="@slow|@none" --project=phone', ['sells [phone]']],
    ['npx playwright test --grep-invert @slow --project=phone', ['opens @smoke [phone]']],
    [
      'cd tests && npx playwright test -c .. a.spec',
      ['opens @smoke [desktop]', 'opens @smoke [phone]'],
    ],
    [
      'npx playwright test --project desktop && npx playwright test a.spec --project phone',
      ['opens @smoke [desktop]', 'sells [desktop]', 'opens @smoke [phone]'],
    ],
    ['npm run e2e -- --grep @slow', ['sells [desktop]']],
  ])('%s runs these tests', async (command, titles) => {
    const { failure, found } = await run(command);
    expect(failure).toBeNull();
    const ran = found.tests.filter(({ status }) => status === 'passed');
    expect(
      ran.map(({ title, project }) => (title.includes('[') ? title : `${title} [${project}]`)),
    ).toEqual(titles);
  });

  test.each([
    ['echo no such shop >&2; exit 3', 'The test command ended with exit code 3: no such shop'],
    ['nothing-of-that-name', /^The test command ended with exit code 127: .*not found$/],
    ['true', 'The command ran no test of Playwright: nothing was checked'],
    [
      'npx playwright test --pass-with-no-tests --grep nothing',
      'The command found no test: nothing was checked',
    ],
    ['npx playwright test none.spec', 'The command found no test: nothing was checked'],
    [
      'npx playwright test --list',
      'The command ran none of the tests that it found: nothing was checked',
    ],
    [
      'npx playwright test --project tablet',
      'The test command ended with exit code 1: Error: Project(s) "tablet" not found. Available projects: "desktop", "phone"',
    ],
    ['npx playwright test -c none.config.ts', /none\.config\.ts does not exist$/],
    ['npx playwright test; exit 7', 'The test command ended with exit code 7'],
  ])('%s fails, and says why', async (command, message) => {
    const result = await run(command);
    expect(result).toMatchObject({ hasFailures: true, hasErrors: false });
    expect(result.failure).toEqual({
      cause: 'SCRIPT',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  test('that hides the exit code of Playwright does not hide a test that failed', async () => {
    const files = { 'a.spec.ts': `${IMPORT}\ntest('fails', () => expect(1).toBe(2));` };
    const { failure, found } = await run('npx playwright test || true', files);
    expect(failure?.message).toBe(
      'fails: expect(received).toBe(expected) // Object.is equality; Expected: 2; Received: 1 (a.spec.ts:2)',
    );
    expect(found.tests).toMatchObject([{ status: 'failed', attempts: 1 }]);
  });

  test.each([
    ['with no test', { 'a.spec.ts': IMPORT }, /nothing was checked$/],
    ['with no file', { 'readme.md': 'x' }, 'The command found no test: nothing was checked'],
    [
      'with a file that cannot be read',
      {
        'a.spec.ts': `${IMPORT}\ntest('a', () => {`,
        'b.spec.ts': `${IMPORT}\ntest('b', () => {});`,
      },
      /^SyntaxError: .*a\.spec\.ts: .* \(a\.spec\.ts:2\)$/s,
    ],
    [
      'with an import that is not there',
      { 'a.spec.ts': `${IMPORT}\nimport { x } from './x';\ntest('a', () => x);` },
      /^Cannot find module '.*x'.* \(a\.spec\.ts:2\)$/,
    ],
    [
      'with a configuration that throws',
      {
        'playwright.config.ts': `throw new Error('no');`,
        'a.spec.ts': `${IMPORT}\ntest('a', () => {});`,
      },
      /: Error: no$/,
    ],
  ])('in a project %s fails', async (_, files, message) => {
    const { failure, hasFailures } = await run('npx playwright test', files as ProjectFiles);
    expect(hasFailures).toBe(true);
    if (typeof message === 'string') expect(failure?.message).toBe(message);
    else expect(failure?.message).toMatch(message);
  });

  test('sees a test that passes when it is tried again as flaky, and passes', async () => {
    const files = {
      'playwright.config.ts': `export default { retries: 1 };`,
      'a.spec.ts': `${IMPORT}\ntest('a', ({}, { retry }) => expect(retry).toBe(1));`,
    };
    const { failure, found } = await run('npx playwright test', files);
    expect(failure).toBeNull();
    expect(found.tests).toMatchObject([{ status: 'passed', isFlaky: true, attempts: 2 }]);
  });
});

describe('a browser that is not here', () => {
  const projectOf = (use: object): ProjectFiles => ({
    'playwright.config.ts': `export default { projects: [{ name: 'here' }, { name: 'there', use: ${JSON.stringify(use)} }] };`,
    'a.spec.ts': `${IMPORT}\ntest('opens', async ({ page }) => { await page.setContent('<p>a</p>'); });`,
  });

  test.each([
    [{ browserName: 'firefox' }, 'firefox'],
    [{ browserName: 'webkit' }, 'webkit'],
    [{ channel: 'msedge' }, 'the channel msedge'],
  ])('fails the project that asks for it in %j, and the others run', async (use, what) => {
    const { failure, found } = await run('npx playwright test', projectOf(use));
    expect(failure?.message).toMatch(
      new RegExp(`^The project there asks for ${what}, and this machine has Chromium only: /`),
    );
    expect(found.tests.map(({ project, status }) => [project, status])).toEqual([
      ['here', 'passed'],
      ['there', 'failed'],
    ]);
  });

  test('is none that a check may ask for', async () => {
    const { failure } = await run('npx playwright test', SHOP, { browsers: ['firefox'] });
    expect(failure?.message).toBe(
      'The check is to run in firefox (browsers), and Watchpost runs Chromium only.',
    );
  });

  test('is the fault of the machine where it is Chromium', async () => {
    const bare = new SuiteLab(BWRAP, { chromium: null });
    const result = await bare.run(projectOf({}));
    await bare.close();
    expect(result).toMatchObject({ hasErrors: true, failure: { cause: 'UNSUPPORTED' } });
    expect(result.failure?.message).toContain('watchpost doctor');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BWRAP } from '../../fixtures/cages.ts';
import { ScriptLab } from '../../fixtures/script-lab.ts';
import { type ShopSite, startShop } from '../../fixtures/shop-site.ts';

let shop: ShopSite;
const lab = new ScriptLab(BWRAP);
beforeAll(async () => {
  shop = await startShop();
});
afterAll(async () => {
  await lab.close();
  await shop[Symbol.asyncDispose]();
});

const IMPORT = `import { test, expect } from '@playwright/test';`;

describe('a script that cannot run fails, and says why', () => {
  test.each([
    ['no test', `${IMPORT}\n`, /^The script has no test: nothing was checked$/, undefined],
    [
      'a syntax error',
      `${IMPORT}\ntest('a', async () => {\n  const = 1;\n});`,
      /^SyntaxError: check\.spec\.ts: Unexpected token \(3:8\) \(check\.spec\.ts:3\)$/,
      3,
    ],
    [
      'an import that is not there',
      `${IMPORT}\nimport { it } from './missing';\ntest('a', () => it());`,
      /^Cannot find module '\.\/missing' \(check\.spec\.ts:2\)$/,
      2,
    ],
    [
      'a library that the runtime does not have',
      `${IMPORT}\nimport it from 'left-pad';\ntest('a', () => it());`,
      /^Cannot find module 'left-pad' \(check\.spec\.ts:2\)$/,
      2,
    ],
    [
      'an error beside its tests',
      `${IMPORT}\nthrow new Error('not here');`,
      /^not here \(check\.spec\.ts:2\)$/,
      2,
    ],
    [
      'two tests with one title',
      `${IMPORT}\ntest('a', () => {});\ntest('a', () => {});`,
      /^Two tests have the same title "a": the first is in line 2 \(check\.spec\.ts:3\)$/,
      3,
    ],
    [
      'more tests than may run',
      `${IMPORT}\nfor (let n = 0; n < 2_001; n++) test("a" + n, () => {});`,
      /^The script has 2001 tests, of which 2000 may run$/,
      undefined,
    ],
    [
      'a fixture that nobody made',
      `${IMPORT}\ntest('a', async ({ wings }) => {});`,
      /^Test has unknown parameter "wings"\. \(check\.spec\.ts:2\)$/,
      2,
    ],
  ])('%s', async (_, script, message, line) => {
    const result = await lab.multiStep(script);
    expect(result).toMatchObject({ hasFailures: true, hasErrors: false });
    expect(result.failure?.message).toMatch(message);
    const [error] = result.found.errors;
    expect(error?.location?.line).toBe(line);
    if (line !== undefined) expect(error?.snippet).toContain(`> ${line} | `);
  });
});

test('a title of any length is no reason to fail', async () => {
  const result = await lab.multiStep(`${IMPORT}\ntest('a'.repeat(100_000), () => {});`);
  expect(result.failure).toBeNull();
  expect(result.found.tests[0]?.title).toMatch(/^a{400,500}/);
});

test('a test that fails before it opens a page has its own error alone, and a trace', async () => {
  const result = await lab.browser(`${IMPORT}\ntest('a', () => { throw new Error('early'); });`, {
    check: { playwrightConfig: { use: { trace: 'retain-on-failure' } } },
  });
  expect(result.found.errors.map(({ message }) => message)).toEqual(['Error: early']);
  expect(result.found.playwrightTestTraces).toEqual(['a/trace.zip']);
});

describe('a script that breaks out of its tests', () => {
  test('by ending its process fails the test that ran, and the others run', async () => {
    const result = await lab.multiStep(`${IMPORT}
test('leaves', () => { process.exit(3); });
test('stays', () => {});`);
    expect(result.failure?.message).toBe(
      'leaves: The process of the script ended before the script did (exit code 3)',
    );
    const tests = result.found.tests.map(({ title, status }) => `${title}: ${status}`);
    expect(tests).toEqual(['leaves: failed', 'stays: passed']);
  });

  test('by ending its process while it is loaded fails', async () => {
    const result = await lab.multiStep(`${IMPORT}\nprocess.exit(0);\ntest('a', () => {});`);
    expect(result.failure?.message).toBe(
      'The process of the script ended before the script did (exit code 0)',
    );
  });

  test('by an error that nobody awaits fails the test that ran', async () => {
    const result = await lab.multiStep(`${IMPORT}
test('forgets', async () => {
  Promise.reject(new Error('forgotten'));
  await new Promise((resolve) => setTimeout(resolve, 50));
});
test('stays', () => {});`);
    expect(result.failure?.message).toBe('forgets: forgotten (check.spec.ts:3)');
    expect(result.found.tests.map(({ status }) => status)).toEqual(['failed', 'passed']);
  });

  test('by writing events of its own is read no further than they go', async () => {
    const result = await lab.multiStep(`${IMPORT}
const { writeSync } = require('node:fs');
test('lies', () => {
  writeSync(3, 'no event\\n{"type":"plan"}\\n{"type":"attach","test":"x","name":"a","contentType":"image/png","path":"../../../etc/passwd"}\\n');
  writeSync(3, '{"type":"attach","test":"x","name":"b","contentType":"text/plain","path":"/etc/passwd"}\\n');
  require('node:fs').symlinkSync('/etc/passwd', 'link.png');
  writeSync(3, '{"type":"attach","test":"x","name":"c","contentType":"text/plain","path":"link.png"}\\n');
});`);
    expect(result).toMatchObject({ failure: null, artifacts: [] });
    const warnings = result.found.jobLog.filter(({ msg }) => msg.includes('was not kept'));
    expect(warnings).toHaveLength(3);
  });
});

describe('a script that takes too long', () => {
  test('for a test ends that test', async () => {
    const result = await lab.multiStep(`${IMPORT}
test('waits', async () => {
  test.setTimeout(200);
  await new Promise(() => {});
});
test('goes on', () => {});`);
    expect(result.failure?.message).toBe('waits: Test timeout of 200ms exceeded.');
    expect(result.found.tests.map(({ status }) => status)).toEqual(['timedOut', 'passed']);
  });

  test('for the run is killed, and what it told before is in the result', async () => {
    const result = await lab.multiStep(
      `${IMPORT}
test('first', () => { console.log('still here'); });
test('computes', () => { for (;;); });
test('never runs', () => {});`,
      { timeoutMs: 4_000 },
    );
    const message = 'Your check run has reached the maximum run time of 4000 ms.';
    expect(result.failure).toEqual({ cause: 'TIMEOUT_RUN', message });
    expect(result).toMatchObject({ hasFailures: true, hasErrors: false });
    expect(result.found.errors[0]).toEqual({ message });
    const tests = result.found.tests.map(({ title, status }) => `${title}: ${status}`);
    expect(tests).toEqual(['first: passed', 'computes: failed', 'never runs: skipped']);
    expect(result.found.jobLog.map(({ msg }) => msg)).toContain('still here');
    expect(result.responseTime).toBeLessThan(8_000);
  });

  test('to eat memory is killed', async () => {
    const small = new ScriptLab(BWRAP, { memoryMb: 300 });
    const result = await small.multiStep(`${IMPORT}
test('eats', async () => {
  const eaten = [];
  for (;;) {
    eaten.push(Buffer.alloc(8 * 1024 ** 2, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});`);
    await small.close();
    const message = 'killed: out of memory (limit 300 MB)';
    expect(result.failure).toEqual({ cause: 'OUT_OF_MEMORY', message });
  });
});

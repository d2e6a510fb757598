import { expect, test } from 'vitest';
import { totalsLine, totalsOf, withOtherFailures } from '../../scripts/test-totals.ts';

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test.each([
  ['no file', [], '0 passed, 0 failed, 0 skipped'],
  ['all passed', [file('passed', 'passed', 'passed')], '2 passed, 0 failed, 0 skipped'],
  [
    'what did not run counts as skipped',
    [file('passed', 'passed', 'skipped', 'pending', 'todo', 'disabled')],
    '1 passed, 0 failed, 4 skipped',
  ],
  [
    'failed tests are counted, not their files',
    [file('failed', 'failed', 'failed', 'passed')],
    '1 passed, 2 failed, 0 skipped',
  ],
  ['a file that cannot load is a failure', [file('failed')], '0 passed, 1 failed, 0 skipped'],
  [
    'a failed hook is a failure',
    [file('passed', 'passed'), file('failed', 'skipped')],
    '1 passed, 1 failed, 1 skipped',
  ],
])('%s', (_case, testResults, line) => {
  expect(totalsLine(totalsOf({ testResults }))).toBe(line);
});

test.each([
  ['nothing else', 0, { failedChecks: 0, testRunFailed: false }, 0],
  ['a run that failed by its tests', 2, { failedChecks: 0, testRunFailed: true }, 2],
  ['a run that failed though its tests passed', 0, { failedChecks: 0, testRunFailed: true }, 1],
  ['checks before the tests', 1, { failedChecks: 2, testRunFailed: true }, 3],
])('%s is added to the failures', (_case, failed, others, total) => {
  expect(withOtherFailures({ passed: 5, failed, skipped: 0 }, others)).toEqual({
    passed: 5,
    failed: total,
    skipped: 0,
  });
});

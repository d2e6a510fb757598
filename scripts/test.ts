// `npm test`: the checks of `npm run verify`, then every test; the totals on the last line.
// Arguments go to vitest: `npm test -- test/shared` runs the tests of one folder.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.ts';
import { runProgram } from './run-program.ts';
import { type TestReport, totalsLine, totalsOf, withOtherFailures } from './test-totals.ts';

const failedChecks = (await runChecks()).length;
const { report, exitCode } = await runTests(process.argv.slice(2));
const totals = withOtherFailures(totalsOf(report), {
  failedChecks,
  testRunFailed: exitCode !== 0,
});
process.exitCode = totals.failed === 0 ? 0 : 1;
console.log(totalsLine(totals));

async function runTests(filters: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-test-'));
  try {
    const file = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const exitCode = await runProgram('vitest/vitest.mjs', ['run', ...reporters, ...filters]);
    return { report: readReport(file), exitCode };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Vitest writes no report where it cannot start at all; its exit code then tells of the failure. */
function readReport(file: string): TestReport {
  if (!existsSync(file)) return { testResults: [] };
  return JSON.parse(readFileSync(file, 'utf8')) as TestReport;
}

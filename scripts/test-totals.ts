/** The parts of vitest's JSON report that are counted. */
export interface TestReport {
  testResults: readonly {
    name: string;
    status: string;
    assertionResults: readonly { status: string }[];
  }[];
}

/** How many tests ended how. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts a run's tests. A file that failed without a failed test in it could not load, or broke
 * outside of its tests: it counts as one failure.
 */
export function totalsOf(report: TestReport): Totals {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report.testResults) {
    const failedBefore = totals.failed;
    for (const { status } of file.assertionResults) totals[endOf(status)]++;
    if (file.status === 'failed' && totals.failed === failedBefore) totals.failed++;
  }
  return totals;
}

/** Vitest also knows `pending`, `todo` and `disabled`: all were not run. */
function endOf(status: string): keyof Totals {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

/**
 * Adds what the report does not hold: checks that failed before the tests, and a test run that
 * failed though each of its tests passed (an error that none of them caught, no test at all).
 */
export function withOtherFailures(
  totals: Totals,
  others: { failedChecks: number; testRunFailed: boolean },
): Totals {
  const unexplained = others.testRunFailed && totals.failed === 0 ? 1 : 0;
  return { ...totals, failed: totals.failed + unexplained + others.failedChecks };
}

/** The last line of `npm test`. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

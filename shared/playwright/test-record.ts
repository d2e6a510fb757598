import type { RunError, TestStatus, TestStep } from './detail.ts';
import type { PlannedTest } from './events.ts';

/** A test of a script, as far as it is known. */
export interface TestRecord extends PlannedTest {
  /** Null until the test has ended, or is known not to run. */
  status: TestStatus | null;
  /** How it was to end. */
  expected: TestStatus;
  hasBegun: boolean;
  durationMs: number;
  errors: RunError[];
  /** Why it counts as degraded, once for each time that the script said so. */
  degraded: string[];
  steps: TestStep[];
}

export function newTest(test: PlannedTest): TestRecord {
  return {
    ...test,
    status: null,
    expected: 'passed',
    hasBegun: false,
    durationMs: 0,
    errors: [],
    degraded: [],
    steps: [],
  };
}

/** Whether a test did not end as it was to end. */
export function isUnexpected({ status, expected }: TestRecord): boolean {
  return status !== null && status !== 'skipped' && status !== expected;
}

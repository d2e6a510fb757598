import type { RunError } from './detail.ts';
import type { SpecEventOf } from './events.ts';
import { isUnexpected, type TestRecord } from './test-record.ts';

/** How a process ended that ran some tests of a script. */
export interface ProcessEnd {
  /** Ids of the tests that it was to run; null for the first process. */
  only: readonly string[] | null;
  /** What it said last; null where it ended before. */
  done: SpecEventOf<'done'> | null;
  /** Why it ended, for a process that did not say so itself. */
  trouble: string;
}

export interface AfterProcess {
  /** The tests for the next process, by their ids; empty when no test is left. */
  next: string[];
  /** That belong to no test. */
  errors: RunError[];
}

/**
 * Settles the tests that a process left, and says which are to run in the next one. It follows
 * Playwright: a test that fails ends its process, as what it left there might make others fail; the
 * rest of its serial group is skipped; what belongs to no test fails the first one that was left.
 */
export function endProcess(tests: readonly TestRecord[], end: ProcessEnd): AfterProcess {
  const job = jobOf(tests, end.only);
  const errors = settle(job, end);
  for (const { serial } of tests.filter(isUnexpected)) {
    if (serial !== undefined) skip(tests.filter((test) => test.serial === serial));
  }
  const [first, ...rest] = tests.filter(isLeft);
  const next = first ? [first, ...rest.filter(({ group }) => group === first.group)] : [];
  return { next: next.map(({ id }) => id), errors };
}

/** Without names: those that need the same process as the first one. */
function jobOf(tests: readonly TestRecord[], only: readonly string[] | null): TestRecord[] {
  const [first] = tests;
  if (only === null) return tests.filter(({ group }) => group === first?.group);
  return tests.filter(({ id }) => only.includes(id));
}

/** @returns the errors that no test was left for */
function settle(job: readonly TestRecord[], { done, trouble }: ProcessEnd): RunError[] {
  const left = job.filter(isLeft);
  if (done === null) return fail(left.filter(isRunning), left, [{ message: trouble }]);
  skip(left.filter(({ id }) => done.skipped.includes(id)));
  if (done.errors.length > 0) return fail([], job.filter(isLeft), done.errors);
  // A process that settles no test must not be followed by one that does the same.
  if (left.length > 0 && left.length === job.length && left.every(isLeft)) {
    return fail([], left, [{ message: 'The test did not run' }]);
  }
  return [];
}

/** Fails the test that was running; where none was, the first that is left, and skips the others. */
function fail(
  running: readonly TestRecord[],
  left: readonly TestRecord[],
  errors: readonly RunError[],
): RunError[] {
  const [first, ...others] = running.length > 0 ? running : left;
  if (!first) return [...errors];
  first.status = 'failed';
  first.errors.push(...errors);
  skip(others);
  return [];
}

function skip(tests: readonly TestRecord[]): void {
  for (const test of tests.filter(isLeft)) test.status = 'skipped';
}

const isLeft = ({ status }: TestRecord): boolean => status === null;
const isRunning = ({ hasBegun }: TestRecord): boolean => hasBegun;

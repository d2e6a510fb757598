import type { RunError, TestStatus } from './detail.ts';
import type { ReportedStep, SuiteEvent, SuiteEventOf } from './suite-events.ts';

type Plan = SuiteEventOf<'plan'>;
type PlannedTest = Plan['tests'][number];
type TestEnd = SuiteEventOf<'testEnd'>;
export type SuiteProject = Plan['projects'][number];
/** A file that a test left. */
export interface SuiteAttachment extends ReportedAttachment {
  /** Titles of the test; empty where it is not known. */
  test: string;
}
type ReportedAttachment = TestEnd['attachments'][number];

/** A test of a project, as far as it is known. */
export interface SuiteTest extends PlannedTest {
  /** Of its last attempt; null for one that never began. */
  status: TestStatus | null;
  /** How it was to end. */
  expected: TestStatus;
  attempts: number;
  /** Of all attempts. */
  durationMs: number;
  /** Of its last attempt. */
  errors: RunError[];
  /** Why it counts as degraded. */
  degraded: string[];
  steps: ReportedStep[];
  /** Whether an attempt before the last did not end as it was to. */
  wasRetried: boolean;
}

const MAX_TESTS = 5_000;
const MAX_ITEMS = 1_000;

/** What one or several runs of Playwright in one command reported, bounded. */
export class SuiteRecord {
  readonly errors: RunError[] = [];
  readonly attachments: SuiteAttachment[] = [];
  readonly projects: SuiteProject[] = [];
  readonly #tests = new Map<string, SuiteTest>();
  /** Of which each Playwright knows those that it planned. */
  #planned = new Set<string>();
  #plans = 0;
  version: string | null = null;
  /** Tests that were planned, also those beyond the bounds. */
  total = 0;

  readonly #handlers: { [T in SuiteEvent['type']]: (event: SuiteEventOf<T>) => void } = {
    plan: (plan) => this.#plan(plan),
    testBegin: ({ test }) => this.#begin(test),
    testEnd: (end) => this.#end(end),
    error: ({ error }) => keep(this.errors, error),
    end: () => {},
  };

  get tests(): readonly SuiteTest[] {
    return [...this.#tests.values()];
  }

  /** Whether any Playwright came as far as to know its tests. */
  get hasPlan(): boolean {
    return this.#plans > 0;
  }

  add(event: SuiteEvent): void {
    (this.#handlers[event.type] as (event: SuiteEvent) => void)(event);
  }

  #plan({ version, projects, tests, total }: Plan): void {
    this.#plans += 1;
    this.version = version;
    this.total += total;
    for (const project of projects) keep(this.projects, project);
    this.#planned = new Set(tests.map(({ id }) => id));
    for (const test of tests) {
      if (this.#tests.size < MAX_TESTS) this.#tests.set(this.#keyOf(test.id), newTest(test));
    }
  }

  #begin(id: string): void {
    const test = this.#find(id);
    if (!test) return;
    test.wasRetried ||= isUnexpected(test);
    test.attempts += 1;
    test.status = 'interrupted';
  }

  #end({ test: id, durationMs, attachments, ...end }: TestEnd): void {
    const test = this.#find(id);
    const title = test ? suiteTitle(test, this.projects) : '';
    for (const attachment of attachments) keep(this.attachments, { ...attachment, test: title });
    if (!test) return;
    const { status, expected, errors, degraded, steps } = end;
    Object.assign(test, { status, expected, errors, degraded, steps });
    test.durationMs += durationMs;
  }

  #find(id: string): SuiteTest | undefined {
    return this.#planned.has(id) ? this.#tests.get(this.#keyOf(id)) : undefined;
  }

  /** The same test may run again in a later Playwright of the same command. */
  #keyOf(id: string): string {
    return `${this.#plans} ${id}`;
  }
}

function newTest(test: PlannedTest): SuiteTest {
  return {
    ...test,
    status: null,
    expected: 'passed',
    attempts: 0,
    durationMs: 0,
    errors: [],
    degraded: [],
    steps: [],
    wasRetried: false,
  };
}

/** The titles of the groups around a test and its own, and its project where there are several. */
export function suiteTitle(
  { path, project }: Pick<SuiteTest, 'path' | 'project'>,
  projects: readonly SuiteProject[],
): string {
  const title = path.join(' › ');
  return projects.length > 1 && project !== '' ? `${title} [${project}]` : title;
}

/** Whether a test did not end as it was to end. */
export function isUnexpected({ status, expected }: SuiteTest): boolean {
  return status !== null && status !== 'skipped' && status !== expected;
}

function keep<T>(list: T[], item: T): void {
  if (list.length < MAX_ITEMS) list.push(item);
}

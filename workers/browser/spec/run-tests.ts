import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAX_TESTS } from '#shared/playwright/detail.ts';
import type { PlannedTest } from '#shared/playwright/events.ts';
import { reportCounts } from './browser-events.ts';
import { reportEvents } from './events.ts';
import { OWN_FOLDER, type SpecJob } from './job.ts';
import { common, createWorker, type Suite, type TestCase, type TestError } from './playwright.ts';
import { report, shown, shownError } from './report.ts';
import { leaveTransformed, takeTransformed } from './transformed.ts';

/**
 * Runs the tests of the script, or those of them that the job names, one after another, as Playwright's
 * own worker does, and reports everything on the way.
 */
export async function runTests(job: SpecJob): Promise<void> {
  const file = join(job.folder, job.file);
  const config = new common.FullConfigInternal({ configDir: job.folder }, configOf(job), {});
  const [project] = config.projects;
  const errors: TestError[] = [];
  takeTransformed(job.folder);
  const suite = common.suiteUtils.bindFileSuiteToProject(
    project,
    await common.testLoader.loadTestFile(file, config, errors),
  );
  const tests = planned(suite, errors);
  const problems = errors.map((error) => shownError(error, job.folder));
  if (problems.length > 0) {
    report({ type: 'done', errors: problems, skipped: [] });
    return;
  }
  leaveTransformed(job.folder);
  report({ type: 'plan', tests: tests.map((test) => planOf(test, job.folder)) });
  const chosen = chooseTests(tests, job.only);
  if (chosen.length === 0) {
    report({ type: 'done', errors: [], skipped: [] });
    return;
  }
  const artifactsDir = join(job.folder, OWN_FOLDER, 'artifacts');
  // Playwright makes it for traces of pages, and expects it for those of tests without one.
  mkdirSync(artifactsDir, { recursive: true });
  const worker = createWorker({
    workerIndex: 0,
    parallelIndex: 0,
    repeatEachIndex: 0,
    projectId: project.id,
    config: null,
    artifactsDir,
    pauseOnError: false,
    pauseAtEnd: false,
  });
  worker._config = config;
  worker._project = project;
  worker._poolBuilder = common.poolBuilder.PoolBuilder.createForWorker(project);
  worker._fixtureRunner.workerFixtureTimeout = project.project.timeout;
  const events = reportEvents(worker, job.folder);
  const entries = chosen.map(({ id }) => ({ testId: id, retry: 0, planAnnotations: [] as [] }));
  await worker.runTestGroup({ file, entries });
  await worker.gracefullyClose();
  reportCounts();
  events.done();
}

function configOf({ folder, file, timeoutMs, expectTimeoutMs, use }: SpecJob) {
  return {
    testDir: dirname(join(folder, file)),
    outputDir: join(folder, OWN_FOLDER, 'results'),
    preserveOutput: 'always',
    timeout: timeoutMs,
    expect: { timeout: expectTimeoutMs },
    use,
    workers: 1,
    retries: 0,
  };
}

/** The tests that are to run, in their order; what is wrong with them joins the errors. */
function planned(suite: Suite, errors: TestError[]): TestCase[] {
  if (errors.length > 0) return [];
  common.poolBuilder.PoolBuilder.createForLoader().buildPools(suite, errors);
  const titles = new Map<string, TestCase>();
  for (const test of suite.allTests()) {
    const same = titles.get(test.id);
    if (same) errors.push(sameTitle(test, same));
    titles.set(test.id, test);
  }
  common.suiteUtils.filterOnly(suite);
  const tests = suite.allTests();
  if (tests.length > MAX_TESTS) {
    errors.push({ message: `The script has ${tests.length} tests, of which ${MAX_TESTS} may run` });
  }
  return tests;
}

function sameTitle({ title, location }: TestCase, { location: first }: TestCase): TestError {
  return {
    message: `Two tests have the same title "${title}": the first is in line ${first.line}`,
    location,
  };
}

function planOf(test: TestCase, folder: string): PlannedTest {
  const serial = outermostSerial(test.parent);
  return {
    id: test.id,
    path: test
      .titlePath()
      .slice(1)
      .map((title) => shown(title, folder)),
    group: test._poolDigest,
    ...(serial && { serial }),
  };
}

/** The outermost serial group around a test, by a name that the same group has in every process. */
function outermostSerial(suite: Suite | undefined): string | undefined {
  if (!suite) return undefined;
  const own = suite._parallelMode === 'serial' ? nameOf(suite) : undefined;
  return outermostSerial(suite.parent) ?? own;
}

function nameOf({ location, title }: Suite): string {
  return location ? `${location.line}:${location.column}` : title;
}

function chooseTests(tests: TestCase[], only: readonly string[] | null): TestCase[] {
  if (only !== null) return tests.filter(({ id }) => only.includes(id));
  return tests.filter(({ _poolDigest }) => _poolDigest === tests[0]?._poolDigest);
}

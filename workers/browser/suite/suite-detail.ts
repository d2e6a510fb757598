import type { Show } from '#shared/assertions/text.ts';
import type {
  LogLine,
  PlaywrightCheckResult,
  RunError,
  SuiteTestResult,
  TestResult,
  TestStep,
} from '#shared/playwright/detail.ts';
import type { ReportedStep } from '#shared/playwright/suite-events.ts';
import {
  isUnexpected,
  type SuiteRecord,
  type SuiteTest,
  suiteTitle,
} from '#shared/playwright/suite-record.ts';
import type { ScriptError } from '#shared/playwright/verdict.ts';
import { MAX_DETAIL_BYTES } from '#shared/runs/protocol.ts';
import { Budget } from '../budget.ts';
import type { SuiteFiles } from './suite-files.ts';

/** A run of a suite that is over, with all that its result tells. */
export interface SuiteFindings {
  record: SuiteRecord;
  errors: readonly ScriptError[];
  /** Epoch milliseconds. */
  startedAt: number;
  stoppedAt: number;
  waitedMs: number;
  installMs: number;
  log: readonly LogLine[];
  files: SuiteFiles;
}

/** Bytes of all lists of a detail, with room beside them for what is named, and how many of a kind it holds. */
const MAX_BYTES = MAX_DETAIL_BYTES - 128 * 1024;
const MAX_ERRORS = 100;
const MAX_TESTS = 500;
const MAX_STEPS = 1_000;
const MAX_LINES = 200;
/** Lines from the start of a log that is longer; the others are from its end. */
const FIRST_LINES = 60;

const MAX_MESSAGE = 4_000;
const MAX_LINE = 2_500;
const MAX_TITLE = 500;

/** What a result holds of a run of a suite: masked, then cut, and bounded as a whole. */
export function suiteDetail(found: SuiteFindings, show: Show): PlaywrightCheckResult {
  return new SuiteDetailWriter(found, show).detail();
}

class SuiteDetailWriter {
  readonly #found: SuiteFindings;
  readonly #show: Show;
  readonly #budget = new Budget(MAX_BYTES);
  #stepsLeft = MAX_STEPS;

  constructor(found: SuiteFindings, show: Show) {
    this.#found = found;
    this.#show = show;
  }

  detail(): PlaywrightCheckResult {
    const { record, errors, startedAt, stoppedAt, waitedMs, installMs, files } = this.#found;
    return {
      errors: this.#take(errors, ({ error }) => this.#error(error), MAX_ERRORS),
      startTime: startedAt,
      endTime: stoppedAt,
      playwrightVersion: record.version === null ? null : this.#show(record.version, 50),
      jobLog: this.#take(this.#log(), (line) => this.#line(line), MAX_LINES),
      tests: this.#tests(),
      testCount: record.total,
      jobAssets: files.screenshots,
      playwrightTestVideos: files.videos,
      playwrightTestTraces: files.traces.map(({ name }) => name),
      playwrightTraceFiles: files.traces.map(({ name, test }) => ({
        url: name,
        name: this.#show(test, MAX_TITLE),
        filename: name,
      })),
      playwrightTestJsonReportFile: files.jsonReport,
      htmlReportFile: files.htmlReport,
      waitedMs: Math.round(waitedMs),
      installMs: Math.round(installMs),
    };
  }

  #take<T, R>(items: readonly T[], make: (item: T) => R, max: number): R[] {
    return this.#budget.take(items.slice(0, max).map(make), max);
  }

  /** In the order of the project. Where there is no room for all, those that did not just pass come first. */
  #tests(): SuiteTestResult[] {
    const all = this.#found.record.tests.map((test, at) => ({ test, at }));
    const notable = all.filter(({ test }) => isUnexpected(test) || test.wasRetried);
    const others = all.filter(({ test }) => !isUnexpected(test) && !test.wasRetried);
    const shown = [...notable, ...others].slice(0, MAX_TESTS);
    const made = shown.map(({ test, at }) => ({ at, result: this.#test(test) }));
    return this.#budget
      .take(made, MAX_TESTS)
      .sort((a, b) => a.at - b.at)
      .map(({ result }) => result);
  }

  #test(test: SuiteTest): SuiteTestResult {
    const { project, file, line, durationMs, attempts, errors, steps, wasRetried } = test;
    const { projects } = this.#found.record;
    const [error] = isUnexpected(test) ? errors : [];
    return {
      title: this.#show(suiteTitle(test, projects), MAX_TITLE),
      project: this.#show(project, MAX_TITLE),
      file: this.#show(file, MAX_TITLE),
      line,
      status: shownStatus(test),
      isFlaky: wasRetried && !isUnexpected(test),
      attempts,
      durationMs,
      ...(error && { error: this.#show(error.message, MAX_MESSAGE) }),
      steps: this.#steps(steps),
    };
  }

  #steps(steps: readonly ReportedStep[]): TestStep[] {
    return steps.flatMap((step) => {
      if (this.#stepsLeft-- <= 0) return [];
      const { title, category, at, durationMs, error } = step;
      return [
        {
          title: this.#show(title, MAX_TITLE),
          category: this.#show(category, 50),
          startMs: Math.max(0, at - this.#found.startedAt),
          durationMs,
          ...(error !== undefined && { error: this.#show(error, MAX_TITLE) }),
          steps: this.#steps(step.steps),
        },
      ];
    });
  }

  #error({ message, stack, snippet, location }: RunError): RunError {
    return {
      message: this.#show(message, MAX_MESSAGE),
      ...(stack && { stack: this.#show(stack, MAX_MESSAGE) }),
      ...(location && { location: { ...location, file: this.#show(location.file, MAX_TITLE) } }),
      ...(snippet && { snippet: this.#show(snippet, MAX_MESSAGE) }),
    };
  }

  #log(): readonly LogLine[] {
    const { log } = this.#found;
    if (log.length <= MAX_LINES) return log;
    const last = MAX_LINES - FIRST_LINES - 1;
    const left: LogLine = {
      time: log[FIRST_LINES]?.time ?? 0,
      level: 'WARN',
      msg: `… ${log.length - FIRST_LINES - last} lines, which are in the artifact with the log`,
    };
    return [...log.slice(0, FIRST_LINES), left, ...log.slice(-last)];
  }

  #line({ time, level, msg }: LogLine): LogLine {
    return { time, level, msg: this.#show(msg, MAX_LINE) };
  }
}

/** A test that was to fail, and did, has passed. */
function shownStatus(test: SuiteTest): TestResult['status'] {
  const { status, expected } = test;
  if (status === null || status === 'skipped') return 'skipped';
  if (!isUnexpected(test)) return 'passed';
  return status === 'passed' && expected !== 'passed' ? 'failed' : status;
}

import type { Show } from '#shared/assertions/text.ts';
import type {
  BrowserCheckResult,
  ConsoleLine,
  LogLine,
  MultiStepCheckResult,
  NetworkLine,
  PageVisit,
  RunError,
  ScriptDetail,
  StepRequest,
  TestResult,
  TestStep,
} from '#shared/playwright/detail.ts';
import type { SpecEventOf } from '#shared/playwright/events.ts';
import type { ScriptRecord } from '#shared/playwright/script-record.ts';
import { snippet } from '#shared/playwright/snippet.ts';
import { isUnexpected, type TestRecord } from '#shared/playwright/test-record.ts';
import { scriptErrors, titleOf } from '#shared/playwright/verdict.ts';
import { scoreOf, type Vital } from '#shared/playwright/web-vitals.ts';
import { MAX_DETAIL_BYTES } from '#shared/runs/protocol.ts';
import { redactHeaders } from '../masking/secret-headers.ts';
import { Budget } from './budget.ts';

/** A run of a script that is over, with all that its result tells. */
export interface ScriptFindings {
  record: ScriptRecord;
  /** Epoch milliseconds. */
  startedAt: number;
  stoppedAt: number;
  waitedMs: number;
  runtimeVersion: string;
  /** Why the run was broken off; null where it was not. */
  brokenOff: string | null;
  /** The texts of the check's files by their paths. */
  sources: ReadonlyMap<string, string>;
  /** Lines of the log that the script did not write. */
  log: readonly LogLine[];
  /** Names of what is kept. */
  screenshots: readonly string[];
  traces: readonly string[];
  videos: readonly string[];
}

/** Bytes of all lists of a detail, with room beside them for what is named, and how many of a kind it holds. */
const MAX_BYTES = MAX_DETAIL_BYTES - 64 * 1024;
const MAX_ITEMS = 200;
const MAX_TESTS = 500;

const MAX_MESSAGE = 4_000;
const MAX_STACK = 4_000;
const MAX_LINE = 2_500;
const MAX_URL = 2_000;
const MAX_TITLE = 500;
const MAX_BODY = 4_000;
const MAX_HEADER = 1_000;

/** Writes what a result holds of a run: masked, then cut, and bounded as a whole. */
export class DetailWriter {
  readonly #found: ScriptFindings;
  readonly #show: Show;
  readonly #budget = new Budget(MAX_BYTES);

  constructor(found: ScriptFindings, show: Show) {
    this.#found = found;
    this.#show = show;
  }

  browser(): BrowserCheckResult {
    const { record, videos } = this.#found;
    // First, as analytics tell pages by their places.
    const pages = this.#take(record.pages, (it) => this.#page(it));
    return {
      type: 'PLAYWRIGHT',
      ...this.#common(),
      traceSummary: { ...record.summary },
      pages,
      playwrightTestVideos: [...videos],
      console: this.#take(record.console, (it) => this.#consoleLine(it)),
      network: this.#take(networkOf(record), (it) => this.#networkLine(it)),
    };
  }

  multiStep(): MultiStepCheckResult {
    return {
      ...this.#common(),
      requests: this.#take(this.#found.record.requests, (it) => this.#request(it)),
    };
  }

  #common(): ScriptDetail {
    const { record, startedAt, stoppedAt, runtimeVersion, waitedMs } = this.#found;
    return {
      errors: this.#errors(),
      startTime: startedAt,
      endTime: stoppedAt,
      runtimeVersion,
      tests: this.#take(record.tests, (it) => this.#test(it), MAX_TESTS),
      jobLog: this.#take(this.#log(), (it) => it),
      jobAssets: [...this.#found.screenshots],
      playwrightTestTraces: [...this.#found.traces],
      waitedMs: Math.round(waitedMs),
    };
  }

  #take<T, R>(items: readonly T[], make: (item: T) => R, max = MAX_ITEMS): R[] {
    return this.#budget.take(items.slice(0, max).map(make), max);
  }

  #errors(): RunError[] {
    const { brokenOff, record } = this.#found;
    const found = scriptErrors(record).map(({ error }) => error);
    const isEmpty = record.tests.length === 0;
    // Of a run that was broken off before it knew its tests, it is not known that it has none.
    const all =
      brokenOff === null ? found : [{ message: brokenOff }, ...(isEmpty ? record.errors : found)];
    return this.#take(all, (it) => this.#error(it));
  }

  #error({ message, stack, location }: RunError): RunError {
    const source = location && this.#found.sources.get(location.file);
    const code = source && snippet(source, location.line, location.column);
    return {
      message: this.#show(message, MAX_MESSAGE),
      ...(stack && { stack: this.#show(stack, MAX_STACK) }),
      ...(location && { location: { ...location, file: this.#show(location.file, MAX_URL) } }),
      ...(code && { snippet: this.#show(code, MAX_MESSAGE) }),
    };
  }

  #test(test: TestRecord): TestResult {
    const { errors, status, durationMs, steps } = test;
    const [error] = errors;
    return {
      title: this.#show(titleOf(test), MAX_TITLE),
      status: shownStatus(test),
      durationMs,
      ...(error && status !== 'skipped' && { error: this.#show(error.message, MAX_MESSAGE) }),
      steps: steps.map((step) => this.#step(step)),
    };
  }

  #step({ title, category, startMs, durationMs, error, steps }: TestStep): TestStep {
    return {
      title: this.#show(title, MAX_TITLE),
      category: this.#show(category, 50),
      startMs,
      durationMs,
      ...(error !== undefined && { error: this.#show(error, MAX_TITLE) }),
      steps: steps.map((step) => this.#step(step)),
    };
  }

  #log(): LogLine[] {
    const { record, log } = this.#found;
    const written = record.log.map(({ at: time, text: msg, level }) => ({ time, msg, level }));
    return [...written, ...log]
      .sort((a, b) => a.time - b.time)
      .map((line) => ({ ...line, msg: this.#show(line.msg, MAX_LINE) }));
  }

  #page({ url, vitals }: SpecEventOf<'page'>): PageVisit {
    const entries = Object.entries(vitals) as [Vital, number][];
    return {
      url: this.#show(url, MAX_URL),
      webVitals: Object.fromEntries(
        entries.map(([vital, value]) => [vital, { score: scoreOf(vital, value), value }]),
      ),
    };
  }

  #consoleLine({ kind, text, url, line, at }: SpecEventOf<'console'>): ConsoleLine {
    return {
      type: this.#show(kind, 50),
      text: this.#show(text, MAX_LINE),
      url: this.#show(url, MAX_URL),
      ...(line !== undefined && { line }),
      startMs: this.#since(at),
    };
  }

  #networkLine({ at, url, error, ...line }: NetworkEvent): NetworkLine {
    return {
      ...line,
      url: this.#show(url, MAX_URL),
      startMs: this.#since(at),
      ...(error !== undefined && { error: this.#show(error, MAX_TITLE) }),
    };
  }

  #request(event: SpecEventOf<'request'>): StepRequest {
    const { method, url, status, at, durationMs, requestBody, responseBody, error } = event;
    const body = (text: string) => this.#show(text, MAX_BODY);
    return {
      method,
      url: this.#show(url, MAX_URL),
      ...(status !== undefined && { status }),
      startMs: this.#since(at),
      durationMs,
      requestHeaders: this.#headers(event.requestHeaders),
      responseHeaders: this.#headers(event.responseHeaders),
      ...(requestBody !== undefined && { requestBody: body(requestBody) }),
      ...(responseBody !== undefined && { responseBody: body(responseBody) }),
      ...(error !== undefined && { error: this.#show(error, MAX_MESSAGE) }),
    };
  }

  #headers(headers: Record<string, string>): Record<string, string> {
    const shown = Object.entries(headers).map(
      ([name, value]) => [this.#show(name, 200), this.#show(value, MAX_HEADER)] as const,
    );
    return redactHeaders(shown);
  }

  #since(at: number): number {
    return Math.max(0, at - this.#found.startedAt);
  }
}

type NetworkEvent = Omit<SpecEventOf<'network'>, 'type'>;

/** What pages requested, and what the script requested itself. */
function networkOf({ network, requests }: ScriptRecord): NetworkEvent[] {
  const pages = network.map(({ type: _, ...line }) => line);
  const own = requests.map(({ at, method, url, status, durationMs, error }) => ({
    ...{ at, method, url, status, durationMs, error },
    resourceType: 'api',
  }));
  return [...pages, ...own].sort((a, b) => a.at - b.at);
}

/** A test that was to fail, and did, has passed. */
function shownStatus(test: TestRecord): TestResult['status'] {
  const { status, expected } = test;
  if (status === null || status === 'skipped') return 'skipped';
  if (!isUnexpected(test)) return 'passed';
  return status === 'passed' && expected !== 'passed' ? 'failed' : status;
}

import type { Score, Vital } from './web-vitals.ts';

/** What results of browser, multi-step and Playwright checks hold, as they are stored. */

/** A place in a file of the check: lines and columns from 1. */
export interface ScriptLocation {
  /** Relative to the folder of the run. */
  file: string;
  line: number;
  column: number;
}

export interface RunError {
  message: string;
  stack?: string | undefined;
  location?: ScriptLocation | undefined;
  /** The lines of the script around the place, which is marked. */
  snippet?: string | undefined;
}

export interface TestStep {
  title: string;
  /** As Playwright names it: `pw:api`, `expect`, `test.step`, `hook`, `fixture`, `test.attach`. */
  category: string;
  /** Milliseconds after the start of the run. */
  startMs: number;
  /** Milliseconds; null for a step that never ended. */
  durationMs: number | null;
  error?: string | undefined;
  steps: TestStep[];
}

/** Tests of one file. */
export const MAX_TESTS = 2_000;

/** `failed` where a test was to fail and passed, as well as the other way round. */
export const TEST_STATUSES = ['passed', 'failed', 'timedOut', 'skipped', 'interrupted'] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];

export interface TestResult {
  /** Those of the groups around it and its own, with ` › ` between. */
  title: string;
  status: TestStatus;
  durationMs: number;
  error?: string | undefined;
  steps: TestStep[];
}

export interface LogLine {
  /** Epoch milliseconds. */
  time: number;
  msg: string;
  level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
}

export interface ConsoleLine {
  /** As the browser names it: `log`, `error`, `warning`, …; `pageerror` for an exception nobody caught. */
  type: string;
  text: string;
  /** Of the page or script that wrote it. */
  url: string;
  line?: number | undefined;
  startMs: number;
}

export interface NetworkLine {
  method: string;
  url: string;
  /** Missing where no response came. */
  status?: number | undefined;
  /** As the browser names it: `document`, `script`, `fetch`, …; `api` for a request of the script. */
  resourceType: string;
  startMs: number;
  durationMs: number | null;
  error?: string | undefined;
}

export interface PageVisit {
  url: string;
  /** Those that the browser measured; a page that was left before it was painted has none but TTFB. */
  webVitals: Partial<Record<Vital, { score: Score; value: number }>>;
}

/** How often something went wrong in the pages of a run. */
export interface TraceSummary {
  consoleErrors: number;
  networkErrors: number;
  documentErrors: number;
  userScriptErrors: number;
}

/** A request that a multi-step check made. */
export interface StepRequest {
  method: string;
  url: string;
  /** Missing where no response came. */
  status?: number | undefined;
  startMs: number;
  durationMs: number;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  requestBody?: string | undefined;
  responseBody?: string | undefined;
  error?: string | undefined;
}

/** What both types of script have. */
export interface ScriptDetail {
  errors: RunError[];
  /** Epoch milliseconds. */
  startTime: number;
  endTime: number;
  runtimeVersion: string;
  tests: TestResult[];
  jobLog: LogLine[];
  /** Names of artifacts. */
  jobAssets: string[];
  playwrightTestTraces: string[];
  /** Milliseconds that the run waited for its turn. */
  waitedMs: number;
}

export interface BrowserCheckResult extends ScriptDetail {
  type: 'PLAYWRIGHT';
  traceSummary: TraceSummary;
  pages: PageVisit[];
  console: ConsoleLine[];
  network: NetworkLine[];
  playwrightTestVideos: string[];
}

/** A test of a suite: one for each project that it runs in. */
export interface SuiteTestResult extends TestResult {
  project: string;
  /** Relative to the project's own folder. */
  file: string;
  line: number;
  attempts: number;
  /** Whether it passed only when it was tried again. */
  isFlaky: boolean;
}

export interface PlaywrightCheckResult extends Omit<ScriptDetail, 'runtimeVersion' | 'tests'> {
  /** Of the Playwright that ran; null where none did. */
  playwrightVersion: string | null;
  tests: SuiteTestResult[];
  /** How many there were, also of those that are not listed. */
  testCount: number;
  playwrightTestVideos: string[];
  playwrightTraceFiles: { url: string; name: string; filename: string }[];
  playwrightTestJsonReportFile: string | null;
  /** The page of the HTML report. */
  htmlReportFile: string | null;
  /** Milliseconds that the packages took to be there. */
  installMs: number;
}

export interface MultiStepCheckResult extends ScriptDetail {
  requests: StepRequest[];
}

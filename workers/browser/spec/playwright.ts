import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type {
  APIRequestContext,
  BrowserContext,
  BrowserContextOptions,
  BrowserType,
  Selectors,
} from 'playwright-core';
import { KeptCode } from './kept-code.ts';
import { lean } from './lean-playwright.ts';

/**
 * The one door to what Playwright does not export: its test worker, made for a process of its own that
 * a test runner starts. Here it runs in the process of the script, without a runner: half the CPU time
 * of a run. Its version is pinned, and a test fails when one of these names is gone.
 */
const require = createRequire(import.meta.url);
const root = join(dirname(require.resolve('playwright/package.json')), 'lib');

const PACKAGES = ['playwright', 'playwright-core', '@playwright/test'].map((name) =>
  join(dirname(require.resolve(`${name}/package.json`)), '/'),
);

/** Whether a file is one of Playwright's own. */
export const isOfPlaywright = (path: string): boolean =>
  PACKAGES.some((folder) => path.startsWith(folder));

/** Where Node finds what it compiled before; undefined in a process that runs no script. */
const { NODE_COMPILE_CACHE: compiled } = process.env;

/** The code of Playwright, which is loaded from here on. */
export const keptCode = compiled
  ? new KeptCode(join(compiled, 'playwright'), isOfPlaywright, lean)
  : null;

export interface Location {
  file: string;
  line: number;
  column: number;
}

export interface Suite {
  title: string;
  location?: Location;
  parent?: Suite;
  _parallelMode: string;
  allTests(): TestCase[];
}

export interface TestCase {
  id: string;
  title: string;
  location: Location;
  parent: Suite;
  _poolDigest: string;
  titlePath(): string[];
}

export interface TestError {
  message?: string;
  stack?: string;
  value?: string;
  cause?: TestError;
  location?: Location;
}

/** What a worker tells of a run, by the name of the message. */
export interface WorkerEvents {
  testBegin: { testId: string; startWallTime: number };
  testEnd: {
    testId: string;
    duration: number;
    status: string;
    expectedStatus: string;
    errors: TestError[];
    annotations: { type: string; description?: string }[];
  };
  stepBegin: {
    testId: string;
    stepId: string;
    parentStepId?: string;
    title: string;
    subtitle?: string;
    category: string;
    wallTime: number;
  };
  stepEnd: { testId: string; stepId: string; wallTime: number; error?: TestError };
  attach: { testId: string; name: string; contentType: string; path?: string; body?: string };
  stdOut: { text?: string; buffer?: string };
  stdErr: { text?: string; buffer?: string };
  done: { fatalErrors: TestError[]; skipTestsDueToSetupFailure: string[] };
  teardownErrors: { fatalErrors: TestError[] };
}

export interface Worker {
  _config: unknown;
  _project: unknown;
  _poolBuilder: unknown;
  _fixtureRunner: { workerFixtureTimeout: number };
  dispatchEvent(method: string, params: unknown): void;
  runTestGroup(group: {
    file: string;
    entries: { testId: string; retry: number; planAnnotations: [] }[];
  }): Promise<void>;
  gracefullyClose(): Promise<void>;
}

interface PoolBuilder {
  buildPools(suite: Suite, errors?: TestError[]): void;
}

interface Project {
  id: string;
  project: { timeout: number };
}

interface FullConfig {
  projects: [Project];
}

/** Where Playwright keeps a file that it made ready to run. */
export interface CachedFile {
  codePath: string;
  sourceMapPath: string;
  moduleUrl?: string | undefined;
}

interface CompilationCache {
  sourceMaps: [string, string][];
  memoryCache: [string, CachedFile][];
  fileDependencies: [string, string[]][];
}

interface Common {
  cc: {
    addToCompilationCache(cache: CompilationCache): void;
    serializeCompilationCache(): CompilationCache;
  };
  transform: { installTransformIfNeeded(): void };
  FullConfigInternal: new (
    location: { configDir: string },
    config: object,
    overrides: object,
  ) => FullConfig;
  poolBuilder: {
    PoolBuilder: {
      createForLoader(): PoolBuilder;
      createForWorker(project: Project): PoolBuilder;
    };
  };
  testLoader: {
    loadTestFile(file: string, config: FullConfig, errors: TestError[]): Promise<Suite>;
  };
  suiteUtils: {
    bindFileSuiteToProject(project: Project, suite: Suite): Suite;
    filterOnly(suite: Suite): void;
  };
}

const commonPath = join(root, 'common', 'index.js');

/** The worker's program starts at once and speaks to its parent: this hands its class over instead. */
function loadWorker(common: Common): (params: object) => Worker {
  const cached = require.cache[commonPath];
  let create: ((params: object) => Worker) | undefined;
  const startProcessRunner = (made: typeof create) => {
    create = made;
  };
  if (cached) cached.exports = { ...common, startProcessRunner };
  require(join(root, 'worker', 'workerProcessEntry.js'));
  if (cached) cached.exports = common;
  if (!create) throw new Error('This version of Playwright has no worker');
  return create;
}

/** Whatever opens a context, by whatever object of the API, says so here first. */
interface Instrumentation {
  addListener(listener: {
    /** The options are those that the context gets, which may be changed. */
    runBeforeCreateBrowserContext?(options: BrowserContextOptions): Promise<void>;
    runAfterCreateBrowserContext?(context: BrowserContext): Promise<void>;
    runBeforeCloseBrowserContext?(context: BrowserContext): Promise<void>;
    runAfterCreateRequestContext?(context: APIRequestContext): Promise<void>;
  }): void;
}

const core = require('playwright-core') as {
  chromium: BrowserType;
  selectors: Selectors;
  _instrumentation: Instrumentation;
};
export const chromium = core.chromium;
export const instrumentation = core._instrumentation;
export const common: Common = require(commonPath);
export const createWorker = loadWorker(common);

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/** Takes back what a worker listens to, writes in the place of, and sets for all tests. */
export function releaseWorker(): void {
  core.selectors.setTestIdAttribute('data-testid');
  for (const event of EVENTS) process.removeAllListeners(event);
  for (const stream of [process.stdout, process.stderr]) Reflect.deleteProperty(stream, 'write');
}

/** What scripts get from Playwright, each of which they could change. */
export const publicObjects: readonly object[] = [
  require('playwright/test'),
  ...Object.values(require('playwright/test') as object),
].filter((it) => typeof it === 'object' || typeof it === 'function');

/** Where Playwright looks for its ffmpeg; undefined on a system for which it has none. */
export function ffmpegPlace(): string | undefined {
  const { registry } = require('playwright-core/lib/coreBundle').registry;
  return registry.findExecutable('ffmpeg')?.executablePath();
}

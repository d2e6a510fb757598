import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckOf } from '#shared/checks/check.ts';
import { SuiteRecord } from '#shared/playwright/suite-record.ts';
import type { SuiteEnd } from '#shared/playwright/suite-verdict.ts';
import type { BrowserRunnerData, FoundChromium, RunFailure } from '#shared/runs/protocol.ts';
import type { Cages } from '../cage/cages.ts';
import { closeOwnPorts } from '../cage/own-ports.ts';
import { runtimeModules } from '../runtime-modules.ts';
import { makeBrowsersFolder, playwrightCoreOf } from './browsers-folder.ts';
import { planInstall } from './install-plan.ts';
import type { Installs } from './installs.ts';
import { makeProject, type Project } from './make-project.ts';
import { OutputLog } from './output-log.ts';
import { link } from './package-folders.ts';
import { ProjectProblem } from './project-problem.ts';
import { readEvents } from './read-events.ts';
import { type EndedCommand, runCommand } from './run-command.ts';
import { binariesOf, makeTools, type Tools } from './tools.ts';

/** What a run of a suite needs to be told. */
export interface SuiteRunOptions {
  check: CheckOf<'PLAYWRIGHT'>;
  /** Of the run. */
  folder: string;
  /** Variables of the project. */
  env: Readonly<Record<string, string>>;
  runtimeId: string;
  /** Whether packages that are kept do not count. */
  installsAnew: boolean;
  /** Of installing and running together. */
  timeoutMs: number;
  /** Cancels the run. */
  signal: AbortSignal;
}

export interface SuiteParts {
  cages: Cages;
  data: BrowserRunnerData;
  chromium: { find(): Promise<FoundChromium | null> };
  ffmpeg: { find(): Promise<string | null> };
  installs: Installs;
}

/** A run of a suite that is over, before anything of it is masked. */
export interface RanSuite {
  record: SuiteRecord;
  /** Why it was broken off, or came to nothing; null where its command ended by itself. */
  failure: RunFailure | null;
  end: SuiteEnd;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Milliseconds. */
  durationMs: number;
  installMs: number;
  /** In the folder of the run: where reports were written. */
  reports: string;
  log: OutputLog;
}

const INSTALL_MS = 5 * 60_000;
const RUN_MS = 30 * 60_000;
/** A suite has several workers, each with a browser: what it may use, in runs of one script. */
const MEMORY_FACTOR = 2.5;

/** Of a runtime's packages, which have no folder of programs. */
const PROGRAM = '@playwright/test/cli.js';

const INSIDE = fileURLToPath(new URL('./inside', import.meta.url));

/** Runs a project: its packages are installed, then its command runs, each in a cage. */
export async function runSuite(parts: SuiteParts, options: SuiteRunOptions): Promise<RanSuite> {
  const run = new SuiteRun(parts, options);
  await run.start();
  return run.ran;
}

class SuiteRun {
  readonly #parts: SuiteParts;
  readonly #options: SuiteRunOptions;
  readonly #startedAt = Date.now();
  readonly #started = performance.now();
  readonly #log: OutputLog;
  readonly #record = new SuiteRecord();
  /** In the folder of the run. */
  readonly #places: Record<'project' | 'bin' | 'browsers' | 'wanted' | 'reports', string>;
  #failure: RunFailure | null = null;
  #end: SuiteEnd = { code: null, words: '', wanted: [], channels: [], here: '' };
  #installMs = 0;
  #durationMs = 0;

  constructor(parts: SuiteParts, options: SuiteRunOptions) {
    this.#parts = parts;
    this.#options = options;
    const at = (name: string) => join(options.folder, name);
    this.#places = {
      // Short, as sockets lie below.
      project: at('p'),
      bin: at('bin'),
      browsers: at('b'),
      wanted: at('w'),
      reports: at('o'),
    };
    this.#log = new OutputLog(this.#places.project);
  }

  get ran(): RanSuite {
    return {
      record: this.#record,
      failure: this.#failure,
      end: this.#end,
      startedAt: this.#startedAt,
      durationMs: this.#durationMs,
      installMs: this.#installMs,
      reports: this.#places.reports,
      log: this.#log,
    };
  }

  async start(): Promise<void> {
    try {
      await this.#install();
    } catch (error) {
      if (!(error instanceof ProjectProblem)) throw error;
      this.#failure = { cause: error.isOurs ? 'INTERNAL' : 'SCRIPT', message: error.message };
    }
    this.#durationMs = performance.now() - this.#started;
  }

  /** Milliseconds of a step that may take so many, within what is left of the run. */
  #deadline(ms: number): number {
    const left = this.#options.timeoutMs - (performance.now() - this.#started);
    return Math.max(1, Math.min(ms, Math.ceil(left)));
  }

  async #install(): Promise<void> {
    const { check, installsAnew: isAnew } = this.#options;
    await mkdir(this.#places.reports);
    const project = await makeProject(check, this.#places.project, this.#parts.data);
    const binaries = binariesOf(project.workingFolder, project.root);
    const tools = await makeTools(this.#places.bin, binaries);
    refuseEngine(check, tools);
    refuseBrowsers(check);
    const usesOrigin = project.packages.length > 0 && check.installCommand.trim() === '';
    const plan = usesOrigin
      ? null
      : await planInstall({ ...project, installCommand: check.installCommand }, tools);
    if (plan === null) {
      for (const path of project.packages) {
        await link(join(project.origin ?? '', path), join(project.root, path));
      }
      return this.#run(project, tools, project.origin === null ? [] : [project.origin]);
    }
    const { key, command, folder: workingFolder } = plan;
    const install = () => this.#runInstall(command, workingFolder, tools);
    const request = { key, project: project.root, isAnew, install };
    await this.#parts.installs.use(request, (readable) => {
      this.#installMs = performance.now() - this.#started;
      return this.#run(project, tools, readable);
    });
  }

  /** @throws ProjectProblem where it fails */
  async #runInstall(command: string, workingFolder: string, tools: Tools): Promise<void> {
    this.#log.note('DEBUG', `Packages are installed: ${command}`);
    const ended = await this.#runCommand(command, workingFolder, tools, [], INSTALL_MS);
    const failed = `The packages of the project could not be installed: ${command}`;
    if (ended.failure) throw new ProjectProblem(`${failed}: ${ended.failure.message}`, OURS);
    if (ended.code === 0) return;
    const reason = this.#log.takeReason();
    const words = `${failed} ended with exit code ${ended.code}`;
    throw new ProjectProblem(reason === '' ? words : `${words}: ${reason}`, OURS);
  }

  async #run(project: Project, tools: Tools, packages: readonly string[]): Promise<void> {
    const { check, folder, runtimeId } = this.#options;
    const { data } = this.#parts;
    const { workingFolder } = project;
    const modules = await runtimeModules(runtimeId, data.cacheFolder);
    const own = await playwrightCoreOf(workingFolder, folder);
    if (own === null) {
      await link(modules.folder, join(folder, 'node_modules'));
      await link(join(modules.folder, PROGRAM), join(this.#places.bin, 'playwright'));
    }
    const browsers = await this.#makeBrowsers(own ?? (await playwrightCoreOf(folder, folder)));
    const readable = [...packages, ...browsers, ...(own === null ? modules.readable : [])];
    this.#log.note('DEBUG', `The tests run: ${check.testCommand}`);
    const run = [check.testCommand, workingFolder, tools, readable, RUN_MS] as const;
    const { code, failure } = await this.#runCommand(...run);
    this.#failure = failure;
    this.#end = { ...this.#end, code, words: this.#log.takeReason() };
    this.#end.wanted = await readdir(this.#places.wanted).catch(() => []);
    if (this.#end.wanted.includes('ffmpeg')) this.#log.note('WARN', NO_FFMPEG);
    await readEvents(join(this.#places.reports, 'events.jsonl'), (event) =>
      this.#record.add(event),
    );
  }

  /** @returns what a cage must show for them */
  async #makeBrowsers(playwrightCore: string | null): Promise<string[]> {
    const { data, ...finders } = this.#parts;
    const [chromium, ffmpeg] = await Promise.all([finders.chromium.find(), finders.ffmpeg.find()]);
    this.#end = { ...this.#end, channels: channelsOf(chromium), here: wordsOf(chromium) };
    if (playwrightCore !== null) {
      const { browsers: folder, wanted } = this.#places;
      const args = closeOwnPorts(data.ownPorts);
      await makeBrowsersFolder(playwrightCore, { folder, wanted, chromium, args, ffmpeg });
    }
    return [...(chromium ? [dirname(chromium.path)] : []), ...(ffmpeg ? [ffmpeg] : [])];
  }

  async #runCommand(
    command: string,
    workingFolder: string,
    tools: Tools,
    readable: readonly string[],
    maxMs: number,
  ): Promise<EndedCommand> {
    const { folder, signal } = this.#options;
    const { cages, data } = this.#parts;
    const compiled = join(data.cacheFolder, 'compiled');
    const ended = await runCommand(
      cages,
      {
        command,
        workingFolder,
        folder,
        env: { ...this.#environment(), PATH: tools.path, NODE_COMPILE_CACHE: compiled },
        readable: [...tools.readable, INSIDE, compiled, ...readable],
        deadlineMs: this.#deadline(maxMs),
        memoryMb: Math.round(data.memoryMb * MEMORY_FACTOR),
      },
      this.#log,
      signal,
    );
    this.#log.end();
    return ended;
  }

  #environment(): Record<string, string> {
    const { env, folder } = this.#options;
    const { project, browsers, reports } = this.#places;
    const report = join(reports, 'report');
    return {
      ...env,
      WATCHPOST_PROJECT: project,
      WATCHPOST_REPORTS: reports,
      PW_TEST_REPORTER: join(INSIDE, 'reporter.cjs'),
      PLAYWRIGHT_BROWSERS_PATH: browsers,
      // The second name of each is that of older versions.
      ...{ PLAYWRIGHT_HTML_OUTPUT_DIR: report, PLAYWRIGHT_HTML_REPORT: report },
      ...{ PLAYWRIGHT_HTML_OPEN: 'never', PW_TEST_HTML_REPORT_OPEN: 'never' },
      // What Playwright writes for assistants is of no use here.
      PLAYWRIGHT_NO_COPY_PROMPT: '1',
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
      // Yarn's would else be the machine's, where it may be written.
      ...{ npm_config_cache: join(folder, 'npm'), YARN_CACHE_FOLDER: join(folder, 'yarn') },
      ...{ npm_config_audit: 'false', npm_config_fund: 'false' },
      ...{ npm_config_update_notifier: 'false', COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' },
    };
  }
}

/** That packages cannot be installed says nothing of what the tests would look at. */
const OURS = { isOurs: true };

const NO_FFMPEG =
  'There are no videos: this machine has no ffmpeg, which makes them (`npx playwright install ffmpeg`, or the package ffmpeg of the system)';

type SuiteCheck = SuiteRunOptions['check'];

function refuseBrowsers({ browsers }: SuiteCheck): void {
  if (browsers.length === 0 || browsers.includes('chromium')) return;
  throw new ProjectProblem(
    `The check is to run in ${browsers.join(', ')} (browsers), and Watchpost runs Chromium only.`,
  );
}

function refuseEngine({ engine }: SuiteCheck, tools: Tools): void {
  if (engine !== 'bun' || tools.has('bun')) return;
  throw new ProjectProblem(
    'The check is to run with Bun (engine), which is not on the machine of Watchpost.',
  );
}

/** Where Google's Chrome is at home, Playwright finds its channel there. */
function channelsOf(chromium: FoundChromium | null): string[] {
  return chromium !== null && dirname(chromium.path) === '/opt/google/chrome' ? ['chrome'] : [];
}

function wordsOf(chromium: FoundChromium | null): string {
  return chromium === null ? 'no browser' : `Chromium only: ${chromium.path}`;
}

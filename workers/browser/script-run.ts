import { dirname } from 'node:path';
import type { ScriptFiles } from '#shared/checks/script-files.ts';
import type { LogLine } from '#shared/playwright/detail.ts';
import { ScriptRecord } from '#shared/playwright/script-record.ts';
import type { SpecConfig } from '#shared/playwright/spec-config.ts';
import type { RunFailure } from '#shared/runs/protocol.ts';
import { cageFailure } from './cage/cage-failure.ts';
import type { Caged, CagedEnd } from './cage/caged.ts';
import type { Cages } from './cage/cages.ts';
import { temporaryFolderOf } from './cage/run-folders.ts';
import { writeScriptFiles, writeTransformed } from './run-folder.ts';
import type { RuntimeModules } from './runtime-modules.ts';
import type { SpecBrowser, SpecJob } from './spec/job.ts';
import { runSpecProcess, type SpecProcessOptions } from './spec-process.ts';
import type { KeptProcess } from './warm/kept-process.ts';

/** What a run of a script needs to be told. */
export interface ScriptRunOptions {
  /** Of the run. */
  folder: string;
  /** The check's. */
  name: string;
  files: ScriptFiles;
  /** What an earlier run with the same files left; missing where none did. */
  transformed?: Uint8Array | null;
  /** Variables of the script. */
  env: Readonly<Record<string, string>>;
  config: SpecConfig;
  modules: RuntimeModules;
  /** Null for a check that has none. One that is lent serves the first process. */
  browser: SpecBrowser | null;
  /** The program of the lent browser, and the process that stays with it. */
  beside?: Caged | undefined;
  kept?: KeptProcess | undefined;
  /** Breaks the run off. */
  signal?: AbortSignal | undefined;
  /** Where compiled code is read from. */
  compiled: string;
  /** Whether the run makes it. */
  makesCompiled?: boolean;
  timeoutMs: number;
  memoryMb: number;
}

/** A run of a script that is over, before anything of it is masked. */
export interface RanScript {
  record: ScriptRecord;
  /** Why it was broken off; null where it ended by itself. */
  failure: RunFailure | null;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Milliseconds that its processes took. */
  durationMs: number;
  log: LogLine[];
}

/** Without it every browser would look at all fonts anew, for a third of a second. */
const FONT_CACHE = '/var/cache/fontconfig';

/** Processes and threads of one run: a Chromium has about a hundred. */
const MAX_PROCESSES = 500;

/** Runs a script: in one process, and after a test that failed the rest of the tests in a next one. */
export async function runScript(cages: Cages, options: ScriptRunOptions): Promise<RanScript> {
  const { folder, files, modules, name, transformed } = options;
  const file = await writeScriptFiles(folder, files, modules.folder, name);
  if (transformed) await writeTransformed(folder, transformed);
  const run = new ScriptRun(cages, { ...options, file });
  await run.start();
  return run.ran;
}

interface WrittenScript extends ScriptRunOptions {
  /** With the tests. */
  file: string;
}

class ScriptRun {
  readonly #cages: Cages;
  readonly #options: WrittenScript;
  readonly #startedAt = Date.now();
  readonly #started = performance.now();
  readonly #record = new ScriptRecord(this.#startedAt);
  readonly #log: LogLine[] = [];
  #failure: RunFailure | null = null;
  #durationMs = 0;

  constructor(cages: Cages, options: WrittenScript) {
    this.#cages = cages;
    this.#options = options;
  }

  get ran(): RanScript {
    return {
      record: this.#record,
      failure: this.#failure,
      startedAt: this.#startedAt,
      durationMs: this.#durationMs,
      log: this.#log,
    };
  }

  async start(): Promise<void> {
    let only: string[] | null = null;
    do {
      only = await this.#runProcess(only);
    } while (only.length > 0 && this.#failure === null);
    this.#durationMs = performance.now() - this.#started;
  }

  /** @returns the tests for the next process, by their ids */
  async #runProcess(only: string[] | null): Promise<string[]> {
    const { timeoutMs, memoryMb } = this.#options;
    const left = Math.max(1, Math.ceil(timeoutMs - (performance.now() - this.#started)));
    const limits = { memoryMb, maxProcesses: MAX_PROCESSES };
    const end = await runSpecProcess(this.#cages, {
      ...this.#processOptions(only),
      limits: { ...limits, deadlineMs: left, beside: this.#options.beside },
    });
    // What a person set is the limit of the whole run, of which earlier processes took a part.
    this.#failure = cageFailure(end, { ...limits, deadlineMs: timeoutMs });
    return this.#record.endProcess({ only, trouble: this.#failure?.message ?? troubleOf(end) });
  }

  #processOptions(only: string[] | null): Omit<SpecProcessOptions, 'limits'> {
    const { modules, compiled, makesCompiled = false, kept = null, signal } = this.#options;
    const job = this.#jobOf(only);
    const { browser } = job;
    const lent = browser?.lent;
    return {
      ...{ job, compiled, signal },
      // After a test that failed, the next ones get a process of their own.
      kept: only === null ? kept : null,
      writable: [...(makesCompiled ? [compiled] : []), ...(lent ? [lent.downloads] : [])],
      readable: [
        ...modules.readable,
        ...(browser ? programsOf(browser) : []),
        ...(lent ? [lent.input, lent.output] : []),
      ],
      onEvent: (event) => this.#record.add(event),
      onLog: (stream, text) => this.#addOutput(stream, text),
    };
  }

  #jobOf(only: string[] | null): SpecJob {
    const { folder, file, config, browser, makesCompiled: leavesCode = false } = this.#options;
    const env = { HOME: folder, TMPDIR: temporaryFolderOf(folder), ...this.#options.env };
    // After a test that failed, the next ones get a browser of their own.
    const given = browser && only !== null ? { ...browser, lent: null } : browser;
    return { folder, file, only, env, ...config, browser: given, stays: false, leavesCode };
  }

  /** What does not come through the console of the script: a browser's own words, or Node's last ones. */
  #addOutput(stream: 'stdout' | 'stderr', text: string): void {
    const level = stream === 'stdout' ? 'DEBUG' : 'WARN';
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    for (const msg of lines) this.#log.push({ time: Date.now(), msg, level });
  }
}

/** What the cage of a browser must show. */
export function programsOf({ path, ffmpeg }: SpecBrowser): string[] {
  return [dirname(path), FONT_CACHE, ...(ffmpeg === null ? [] : [ffmpeg])];
}

function troubleOf({ code, signal }: CagedEnd): string {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  return `The process of the script ended before the script did (${how})`;
}

import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Caged } from '../cage/caged.ts';
import type { Cages } from '../cage/cages.ts';
import { removeFolder, temporaryFolderOf } from '../cage/run-folders.ts';
import type { LentBrowser } from '../spec/job.ts';
import { KeptProcess } from './kept-process.ts';
import { isEmpty } from './open-targets.ts';

const run = promisify(execFile);

/** Opens two pipes, says so, and runs a program with them where Chromium takes commands and answers. */
const ON_PIPES = 'exec 5<>"$1" 6<>"$2"; shift 2; echo open >&3; "$@" 3<&5 4>&6 5<&- 6>&-';

/** The variables of a check that a browser goes by; others may be secrets, or change what starts it. */
const OF_BROWSERS = /^(?:TZ|LANG|LANGUAGE|LC_\w+|\w+_proxy)$/i;

/** Of Chromium alone; with a run they count as the run's, which has half as much. */
const MAX_PROCESSES = 1_000;

export interface WarmOptions {
  /** Of Chromium. */
  path: string;
  /** What Playwright starts it with, but for its folder. */
  args: readonly string[];
  /** Of the check. */
  variables: Readonly<Record<string, string>>;
  /** What its cage must show. */
  readable: readonly string[];
  /** What one run may use. */
  memoryMb: number;
}

/**
 * A Chromium in a cage of its own that serves one run after another. Its folder holds the pipes, the folder
 * of the runs, which it may read, and what it may write itself: nothing that the appliance writes to.
 */
export class WarmBrowser {
  readonly #folder: string;
  readonly #args: readonly string[];
  readonly #caged: Caged;
  /** The process that drives it. */
  readonly process: KeptProcess;

  private constructor(folder: string, args: readonly string[], caged: Caged) {
    this.#folder = folder;
    this.#args = args;
    this.#caged = caged;
    this.process = new KeptProcess(pathsIn(folder).runs);
  }

  /** Resolves once its pipes are open, where Chromium will find what it is told meanwhile. */
  static async start(cages: Cages, options: WarmOptions): Promise<WarmBrowser> {
    const { path, args, variables, readable, memoryMb } = options;
    const folder = await cages.makeFolder();
    const paths = pathsIn(folder);
    for (const inside of [temporaryFolderOf(paths.own), paths.downloads]) {
      await mkdir(inside, { recursive: true });
    }
    await run('mkfifo', ['-m', '600', paths.input, paths.output]);
    const opened = Promise.withResolvers<unknown>();
    const caged = cages.start({
      program: '/bin/sh',
      args: [
        ...['-c', ON_PIPES, 'sh', paths.input, paths.output],
        ...[path, ...args, `--user-data-dir=${join(paths.own, 'p')}`],
      ],
      env: Object.fromEntries(Object.entries(variables).filter(([name]) => OF_BROWSERS.test(name))),
      folder: paths.own,
      readable: [folder, ...readable],
      ...{ writable: [paths.downloads], deadlineMs: null },
      ...{ memoryMb: 2 * memoryMb, maxProcesses: MAX_PROCESSES },
      onLine: opened.resolve,
      onLog: () => {},
    });
    await Promise.race([opened.promise, caged.ended]);
    return new WarmBrowser(folder, args, caged);
  }

  /** Its processes, which count as those of the run that uses it. */
  get caged(): Caged {
    return this.#caged;
  }

  get lent(): LentBrowser {
    const { input, output, downloads } = pathsIn(this.#folder);
    return { input, output, downloads, args: this.#args };
  }

  /** Whether nothing of a run is left in it. */
  async isClean(): Promise<boolean> {
    const { input, output, downloads } = pathsIn(this.#folder);
    const looks = Promise.all([readdir(downloads), isEmpty(input, output)]);
    // It may have crashed just now.
    return await looks.then(
      ([left, isBare]) => left.length === 0 && isBare,
      () => false,
    );
  }

  async end(): Promise<void> {
    this.#caged.kill();
    await Promise.all([this.#caged.ended, this.process.end()]);
    await removeFolder(this.#folder);
  }
}

/** Short, as Chromium's sockets lie in its own. */
function pathsIn(folder: string) {
  const paths = { input: 'in', output: 'out', own: 'c', downloads: 'd', runs: 'r' };
  const entries = Object.entries(paths).map(([name, path]) => [name, join(folder, path)]);
  return Object.fromEntries(entries) as typeof paths;
}

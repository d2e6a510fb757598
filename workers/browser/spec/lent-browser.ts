import { EventEmitter } from 'node:events';
import { constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import type { LentBrowser, SpecBrowser } from './job.ts';
import { report } from './report.ts';

/** With what Playwright starts browsers; it looks the function up with each start. */
const programs = createRequire(import.meta.url)('node:child_process') as { spawn: Spawn };
type Spawn = (command: string, args: string[], options: { env?: unknown }) => EventEmitter;

/**
 * Has Playwright, when it starts a browser, get the lent one, if it is one with the same arguments and
 * variables: its first. All else is as with a browser that Playwright started.
 */
export function watchStarts(browserOf: () => SpecBrowser): void {
  const { spawn } = programs;
  const lentOnes = new WeakSet<SpecBrowser>();
  programs.spawn = (command, given, options) => {
    const browser = browserOf();
    if (command !== browser.path) return spawn(command, given, options);
    const args = given.map(inOneProcess);
    const free = lentOnes.has(browser) ? null : browser.lent;
    const lends = options.env === process.env && free && sorted(args) === sorted(free.args);
    const taken = lends ? free : null;
    report({ type: 'launch', args: args.filter(isOfAll), isLent: taken !== null });
    if (taken !== null) lentOnes.add(browser);
    return (taken && takeOver(taken)) ?? spawn(command, args, options);
  };
}

const FEATURES = '--enable-features=';

/** A sixth of the start of Chromium is that of its process for the network. The last list of features counts. */
const inOneProcess = (arg: string): string =>
  arg.startsWith(FEATURES) ? `${arg},NetworkServiceInProcess2` : arg;

/** Null where it has ended meanwhile. */
function takeOver(browser: LentBrowser): LentProcess | null {
  try {
    return new LentProcess(browser);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return null;
    throw error;
  }
}

/** Some are there twice. */
const sorted = (args: readonly string[]): string =>
  [...new Set(args.filter(isOfAll))].toSorted().join('\n');

/** Each browser has a folder of its own. */
const isOfAll = (arg: string): boolean => !arg.startsWith('--user-data-dir=');

/** Above the highest number that a process can have: nobody is killed by it. */
const NO_PROCESS = 2 ** 31 - 1;
/** How Playwright ends a browser; a script would do it with another number. */
const GOODBYE = '{"method":"Browser.close","id":-9999,';

/** Looks to Playwright like the process of a browser. Its end leaves the browser as it is. */
class LentProcess extends EventEmitter {
  readonly pid = NO_PROCESS;
  readonly stdout = Readable.from([]);
  readonly stderr = Readable.from([]);
  readonly stdio: readonly [null, Readable, Readable, Writable, Readable];

  constructor({ input, output }: LentBrowser) {
    super();
    const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
    const answers = new Socket({ fd: openSync(output, O_RDONLY | O_NONBLOCK), writable: false });
    const commands = new Socket({ fd: openSync(input, O_WRONLY | O_NONBLOCK), readable: false });
    const filter = new Writable({
      write: (chunk: Buffer, _, done) => {
        if (chunk.indexOf(GOODBYE) === 0) answers.destroy();
        else commands.write(chunk, done);
      },
    });
    commands.on('error', () => answers.destroy());
    // The browser is gone, or given back.
    answers.once('close', () => {
      commands.destroy();
      this.emit('close', 0, null);
    });
    this.stdio = [null, this.stdout, this.stderr, filter, answers];
  }
}

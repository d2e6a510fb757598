import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { bwrapArgs } from '#shared/sandbox/bubblewrap.ts';
import {
  type Caged,
  type CagedEnd,
  type CagedOptions,
  DEFAULT_MAX_FOLDER_MB,
  type EndReason,
} from './caged.ts';
import { folderSize } from './folder-size.ts';
import type { Guard } from './guard.ts';
import { readLines, readLog } from './line-output.ts';
import { MARK, type ProcessSource } from './processes.ts';
import { temporaryFolderOf } from './run-folders.ts';
import { killGroup, killIfThere, sweep } from './sweep.ts';
import type { Tree, TreeWatch } from './tree-watch.ts';

/** What starts of one thread share. */
export interface CageParts {
  /** The program bubblewrap; null for runs that are not closed in. */
  bwrap: string | null;
  source: ProcessSource;
  watch: TreeWatch;
  guard: Pick<Guard, 'add' | 'remove'>;
}

/** From one look at what a program wrote to the next, which counts every file: a long one is made less often. */
const FOLDER_LOOK_MS = 2_000;
const PAUSE_PER_LOOK = 20;
/** How often, and after how many milliseconds, it is looked whether a program has stopped. */
const STOP_LOOKS = 20;
const STOP_MS = 2;
/** How long bubblewrap may take to follow what was in it. */
const BWRAP_MS = 5_000;
/** How long the pipes of a program are waited for once its processes are gone. */
const PIPES_MS = 1_000;

/**
 * Starts a program with its own process group, files and variables. With bubblewrap it sees nothing of
 * this machine but what is named, and its processes end with it, and with the thread that called this,
 * whatever they do. Without, all is looked for and killed that belongs to it or carries its mark.
 */
export function startCaged(options: CagedOptions, parts: CageParts): Caged {
  return new CagedProgram(options, parts);
}

class CagedProgram implements Caged {
  readonly ended: Promise<CagedEnd>;
  readonly #options: CagedOptions;
  readonly #parts: CageParts;
  readonly #child: ChildProcess;
  readonly #tree: Tree | null = null;
  readonly #timers: NodeJS.Timeout[] = [];
  #folderTimer: NodeJS.Timeout | undefined;
  #why: EndReason = 'exited';
  /** What was frozen. */
  #program: number | undefined;

  constructor(options: CagedOptions, parts: CageParts) {
    this.#options = options;
    this.#parts = parts;
    this.#child = start(options, parts.bwrap);
    this.ended = this.#end();
    const { pid } = this.#child;
    if (pid === undefined) return;
    yieldTo(pid);
    this.#connect();
    // Until bubblewrap has made its cage it would not end with the appliance.
    parts.guard.add(pid);
    this.#tree = parts.watch.add({
      root: pid,
      beside: options.beside instanceof CagedProgram ? options.beside.#tree : null,
      markedBy: parts.bwrap === null ? options.folder : null,
      memoryBytes: options.memoryMb * 1024 ** 2,
      maxProcesses: options.maxProcesses,
      onOver: (why) => this.kill(why),
    });
    this.#lookAtFolderIn(FOLDER_LOOK_MS);
    if (options.deadlineMs !== null) {
      this.#timers.push(setTimeout(() => this.kill('deadline'), options.deadlineMs));
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(line: string): void {
    (this.#child.stdio[4] as Writable | undefined)?.write(`${line}\n`);
  }

  async freeze(): Promise<boolean> {
    const { pid = 0 } = this.#child;
    const { bwrap, source, watch } = this.#parts;
    const program = bwrap === null ? pid : await this.#innerOf(pid);
    if (program === undefined || this.#tree === null || this.#isOver) return false;
    this.#program = program;
    killIfThere(program, 'SIGSTOP');
    for (let look = 0; look < STOP_LOOKS && !source.isStopped(program); look++)
      await pause(STOP_MS);
    const marked = bwrap === null ? await source.ofRun(this.#options.folder) : [];
    const all = new Set([...(await watch.look(this.#tree)), ...marked]);
    return source.isStopped(program) && [...all].every((it) => it === program || it === pid);
  }

  thaw(): void {
    if (this.#program !== undefined && !this.#isOver) killIfThere(this.#program, 'SIGCONT');
  }

  async #innerOf(pid: number): Promise<number | undefined> {
    const rows = await this.#parts.source.list();
    return rows.find(({ parent }) => parent === pid)?.pid;
  }

  kill(why: EndReason = 'killed'): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#isOver) return;
    if (this.#why === 'exited') this.#why = why;
    if (this.#parts.bwrap === null) killGroup(pid);
    else void this.#killInner(pid);
  }

  /**
   * The first process in the cage takes all others with it, and bubblewrap waits for that. Killing
   * bubblewrap instead would leave nobody to wait for them.
   */
  async #killInner(pid: number): Promise<void> {
    const rows = await this.#parts.source.list();
    const inner = rows.filter(({ parent }) => parent === pid);
    for (const row of inner) killIfThere(row.pid);
    if (inner.length === 0) killIfThere(pid);
    else setTimeout(() => this.#isOver || killIfThere(pid), BWRAP_MS).unref();
  }

  #lookAtFolderIn(ms: number): void {
    this.#folderTimer = setTimeout(() => void this.#lookAtFolder(), ms);
  }

  async #lookAtFolder(): Promise<void> {
    const { folder, maxFolderMb = DEFAULT_MAX_FOLDER_MB } = this.#options;
    const since = performance.now();
    const bytes = await folderSize(folder);
    if (bytes === null || bytes > maxFolderMb * 1024 ** 2) this.kill('disk');
    else if (!this.#isOver) {
      const tookMs = performance.now() - since;
      this.#lookAtFolderIn(Math.max(FOLDER_LOOK_MS, PAUSE_PER_LOOK * tookMs));
    }
  }

  get #isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #connect(): void {
    const { onLine, onLog } = this.#options;
    const { stdout, stderr, stdio } = this.#child;
    readLines(stdio[3] as Readable, onLine, () => this.kill('output'));
    if (stdout) readLog(stdout, 'stdout', onLog);
    if (stderr) readLog(stderr, 'stderr', onLog);
    // A pipe breaks when its program ends, which `exit` tells.
    for (const stream of [stdio[3], stdio[4]]) stream?.on('error', () => {});
  }

  async #end(): Promise<CagedEnd> {
    const child = this.#child;
    const piped = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const isStarted = await new Promise<boolean>((resolve) => {
      child.once('exit', () => resolve(true)).once('error', () => resolve(false));
    });
    for (const timer of [...this.#timers, this.#folderTimer]) clearTimeout(timer);
    const { exitCode: code, signalCode: signal, pid } = child;
    if (!isStarted || pid === undefined) return { why: 'not-started', code, signal, peakBytes: 0 };
    if (this.#parts.bwrap === null) await this.#clear(pid);
    this.#parts.guard.remove(pid);
    if (this.#tree) this.#parts.watch.remove(this.#tree);
    await Promise.race([piped, pause(PIPES_MS)]);
    return { why: this.#why, code, signal, peakBytes: this.#tree?.peakBytes ?? 0 };
  }

  /** Without namespaces a program may leave processes behind. */
  async #clear(pid: number): Promise<void> {
    const { source, watch } = this.#parts;
    killGroup(pid);
    const tree = this.#tree;
    await sweep(source, this.#options.folder, async () => (tree ? watch.look(tree) : []));
  }
}

function start(options: CagedOptions, bwrap: string | null): ChildProcess {
  const { program, args, folder } = options;
  const command = bwrap === null ? [program, ...args] : [bwrap, ...bwrapArgs(options)];
  const [first = program, ...rest] = command;
  return spawn(first, rest, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: environmentOf(options),
    cwd: folder,
    // A group of its own, to be killed as one, which Ctrl-C in the terminal does not reach.
    detached: true,
    windowsHide: true,
  });
}

function environmentOf({ env, folder }: CagedOptions): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  const temporary = temporaryFolderOf(folder);
  return {
    PATH,
    HOME: folder,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    ...(SystemRoot !== undefined && { SystemRoot, TEMP: temporary, TMP: temporary }),
    ...env,
    [MARK]: `${folder}/`,
  };
}

/** Others that wait for a processor come first, and the kernel's want of memory meets it first. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch (error) {
    // It has ended already, which `exit` tells.
    const { code, info } = error as { code?: string; info?: { code?: string } };
    if (!['ESRCH', 'ENOENT', 'EACCES'].includes(info?.code ?? code ?? '')) throw error;
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms).unref());

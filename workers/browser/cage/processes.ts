import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** A process of this machine. */
export interface ProcessRow {
  pid: number;
  parent: number;
  /** Its process group. */
  group: number;
  /** Tells it from a later process with the same number; the same for all where the system does not say. */
  startedAt: string;
}

/** How processes are seen, which each system has its own way for. */
export interface ProcessSource {
  /** Milliseconds from one look to the next. */
  everyMs: number;
  /** @param known numbers of processes that need not be looked at */
  list(known?: ReadonlySet<number>): Promise<ProcessRow[]>;
  /** What processes use together. */
  memoryOf(pids: readonly number[], limitBytes: number): Promise<MemoryUse>;
  /** Whether a process stands still with all of its threads; false where the system does not say. */
  isStopped(pid: number): boolean;
  /** The processes that carry the mark of a folder; on Linux also those that work in it. */
  ofRun(folder: string): Promise<number[]>;
}

/** The variable that marks the processes of a run: the run's folder and a slash. */
export const MARK = 'WATCHPOST_RUN';

export const markOf = (folder: string): string => `${MARK}=${folder}/`;

export interface MemoryUse {
  bytes: number;
  isOver: boolean;
}

const NONE: MemoryUse = { bytes: 0, isOver: false };

/** Linux tells all of it in files: a hundred take 2 to 5 ms to read. */
const LINUX: ProcessSource = {
  everyMs: 250,
  list: async (known) =>
    pids()
      .filter((pid) => !known?.has(pid))
      .flatMap((pid) => rowOf(pid) ?? []),
  memoryOf: async (of, limitBytes) => linuxMemory(of, limitBytes),
  isStopped: (pid) =>
    threadsOf(pid).every(
      (thread) => stateIn(readIfThere(`/proc/${pid}/task/${thread}/stat`)) === 'T',
    ),
  ofRun: async (folder) =>
    pids().filter(
      (pid) => readIfThere(`/proc/${pid}/environ`).includes(markOf(folder)) || worksIn(pid, folder),
    ),
};

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (isGone(error)) return [''];
    throw error;
  }
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** Null for one that is gone, and for a zombie, which only waits for its parent to look. */
function rowOf(pid: number): ProcessRow | null {
  const text = readIfThere(`/proc/${pid}/stat`);
  const fields = fieldsIn(text);
  const [state, parent, group] = fields;
  if (parent === undefined || state === 'Z' || state === 'X') return null;
  return { pid, parent: Number(parent), group: Number(group), startedAt: fields[19] ?? '' };
}

/** Of a process or a thread. The name in parentheses may hold anything, spaces and parentheses too. */
const fieldsIn = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

const stateIn = (stat: string): string => fieldsIn(stat)[0] ?? '';

/**
 * Memory that is no file's, as the kernel takes that back when it needs it. What processes share is
 * counted in each at first; only where that is too much, the kernel is asked for the shares, which takes it
 * 10 ms for each process.
 */
function linuxMemory(of: readonly number[], limitBytes: number): MemoryUse {
  let own = 0;
  let shared = 0;
  let mostShared = 0;
  for (const pid of of) {
    const status = readIfThere(`/proc/${pid}/status`);
    const here = kilobytes(status, 'RssShmem');
    own += kilobytes(status, 'RssAnon') + kilobytes(status, 'VmSwap');
    shared += here;
    mostShared = Math.max(mostShared, here);
  }
  if ((own + shared) * 1_024 <= limitBytes) {
    return { bytes: (own + mostShared) * 1_024, isOver: false };
  }
  const kb = of.reduce((sum, pid) => sum + shareOf(readIfThere(`/proc/${pid}/smaps_rollup`)), 0);
  return { bytes: kb * 1_024, isOver: kb * 1_024 > limitBytes };
}

function shareOf(rollup: string): number {
  const parts = ['Pss_Anon', 'Pss_Shmem', 'SwapPss'];
  return parts.reduce((sum, part) => sum + kilobytes(rollup, part), 0);
}

function kilobytes(text: string, name: string): number {
  const at = text.indexOf(`${name}:`);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + name.length + 1), 10);
}

/** Whether the working folder of a process lies in a folder. */
function worksIn(pid: number, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
  } catch (error) {
    // The kernel names no folder deeper than a page of memory holds; whoever works in such a one is known by the mark.
    const { code } = error as NodeJS.ErrnoException;
    if (isGone(error) || code === 'ENAMETOOLONG') return false;
    throw error;
  }
}

/** Empty where the process is gone, or is not ours. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (isGone(error)) return '';
    throw error;
  }
}

const GONE = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

function isGone(error: unknown): boolean {
  return GONE.includes((error as NodeJS.ErrnoException).code ?? '');
}

const run = promisify(execFile);
const MAX_LIST_BYTES = 64 * 1024 ** 2;

async function ps(...args: string[]): Promise<string[][]> {
  const { stdout } = await run('ps', args, { maxBuffer: MAX_LIST_BYTES });
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.trim().split(/\s+/));
}

/** macOS and other systems with `ps`, which is a process to start for every look. */
export const PS: ProcessSource = {
  everyMs: 1_000,
  list: async () =>
    (await ps('-axo', 'pid=,ppid=,pgid='))
      .map((row) => row.map(Number))
      .map(([pid = 0, parent = 0, group = 0]) => ({ pid, parent, group, startedAt: '' })),
  memoryOf: async (of, limitBytes) => {
    const rows = await ps('-axo', 'pid=,rss=');
    const wanted = new Set(of);
    const sizes = rows.filter(([pid]) => wanted.has(Number(pid))).map(([, kb]) => Number(kb));
    const bytes = sizes.reduce((sum, kb) => sum + kb, 0) * 1_024;
    return { bytes, isOver: bytes > limitBytes };
  },
  isStopped: () => false,
  ofRun: async (folder) => {
    const rows = await ps('axeww', '-o', 'pid=,command=');
    const isMarked = (row: string[]) => row.some((word) => word.startsWith(markOf(folder)));
    return rows.filter(isMarked).map(([pid]) => Number(pid));
  },
};

/** Nothing is seen: a run is ended by its tree and its deadline alone. */
const UNSEEN: ProcessSource = {
  everyMs: 1_000,
  list: async () => [],
  memoryOf: async () => NONE,
  isStopped: () => false,
  ofRun: async () => [],
};

/** How the processes of this machine are seen. */
export function ownProcesses(platform: NodeJS.Platform = process.platform): ProcessSource {
  if (platform === 'linux') return LINUX;
  return platform === 'win32' ? UNSEEN : PS;
}

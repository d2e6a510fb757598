import { readdirSync, readFileSync } from 'node:fs';

/**
 * Megabytes of all processes that a process started, and that these started: their own memory, and
 * their share of what they have in common. Only Linux tells it.
 */
export function megabytesBelow(pid: number): number {
  const kilobytes = descendants(pid).map((one) =>
    Number(/^Pss: +(\d+) kB$/m.exec(textOf(`/proc/${one}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024;
}

/** Megabytes of a process: all that it has in memory, and its share where it has it in common with others. */
export function memoryOf(pid: number): { rssMb: number; pssMb: number } {
  const text = textOf(`/proc/${pid}/smaps_rollup`);
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1] ?? Number.NaN) / 1_024;
  return { rssMb: megabytes('Rss'), pssMb: megabytes('Pss') };
}

const MS_PER_TICK = 10;

/** Milliseconds of processors that the processes which a process started used, also those that are over. */
export function cpuMsBelow(pid: number): number {
  const ticks = descendants(pid).map((one) => sum(timesOf(one)));
  return (sum(timesOf(pid).slice(2)) + sum(ticks)) * MS_PER_TICK;
}

/** Milliseconds of processors that a process and all that it started used, also what is over. */
export function cpuMsOf(pid: number): number {
  const ticks = [pid, ...descendants(pid)].map((one) => sum(timesOf(one)));
  return sum(ticks) * MS_PER_TICK;
}

/** Ticks: of a process in programs and in the kernel, and the same of its children that are over. */
function timesOf(pid: number): number[] {
  const fields = textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).map(Number);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function descendants(root: number): number[] {
  const children = Map.groupBy(
    readdirSync('/proc').filter((name) => /^\d+$/.test(name)),
    // The name of a program, in brackets, may hold anything.
    (name) => /.*\) \S (\d+)/s.exec(textOf(`/proc/${name}/stat`))?.[1] ?? '',
  );
  const below = (pid: string): string[] =>
    (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(String(root)).map(Number);
}

/** A process may end while it is looked at. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

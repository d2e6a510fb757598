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

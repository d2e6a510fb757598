import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';

const GROUP = '/sys/fs/cgroup';

/** Bytes that new processes may use: of the machine, and of the container that this process is in. */
export function freeMemory(read: (path: string) => string = readIfThere): number {
  const available = numberIn(read('/proc/meminfo'), /^MemAvailable: +(\d+) kB$/m);
  const machine = available === null ? freemem() : available * 1_024;
  const limit = numberIn(read(`${GROUP}/memory.max`), /^(\d+)$/m);
  const used = numberIn(read(`${GROUP}/memory.current`), /^(\d+)$/m);
  if (limit === null || used === null) return machine;
  // What files left in memory goes as soon as it is needed.
  const cached = numberIn(read(`${GROUP}/memory.stat`), /^inactive_file (\d+)$/m) ?? 0;
  return Math.min(machine, Math.max(0, limit - used + cached));
}

function numberIn(text: string, pattern: RegExp): number | null {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Empty on systems that have no such file. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return '';
    throw error;
  }
}

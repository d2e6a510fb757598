import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { FiledChange } from './change-set.ts';

/**
 * A line of a journal is JSON: `{"sum":"89abcdef","version":1,"changes":[…]}`. It holds the changes that went
 * to the disk together. `sum` is the CRC-32 of everything behind it, so that a line which was not written
 * whole is told from one that was; `version` is that of the records, as in the file.
 */
export interface JournalEntry {
  version: number;
  changes: readonly FiledChange[];
}

/** A line, with its end. @param changes the JSON text of each {@link FiledChange} */
export function journalLine(version: number, changes: readonly string[]): string {
  const rest = `"version":${version},"changes":[${changes.join(',')}]}`;
  return `{"sum":"${sumOf(rest)}",${rest}\n`;
}

const START = /^\{"sum":"([0-9a-f]{8})",/;
const START_LENGTH = '{"sum":"00000000",'.length;

const entry = z.strictObject({
  sum: z.string(),
  version: z.int().min(1),
  changes: z.array(
    z.union([
      z.strictObject({ put: z.looseObject({ id: z.string() }) }),
      z.strictObject({ delete: z.string() }),
    ]),
  ),
});

/** What the bytes of a journal say. */
export interface ReadJournal {
  entries: JournalEntry[];
  /** Bytes up to the end of the last whole line. */
  wholeBytes: number;
  /**
   * The number, from 1, of a line that was whole once and cannot be read: one after it can, or it is of
   * another Watchpost.
   */
  damagedLine: number | null;
}

/**
 * Reads a journal. What cannot be read at its end was being written when the process or the machine
 * stopped, and nobody was told that it is kept.
 */
export function readJournal(bytes: Buffer): ReadJournal {
  const read: ReadJournal = { entries: [], wholeBytes: 0, damagedLine: null };
  let firstBad: number | null = null;
  let from = 0;
  for (let number = 1; from < bytes.length; number += 1) {
    const end = bytes.indexOf('\n', from);
    const line = end === -1 ? '' : bytes.toString('utf8', from, end);
    if (!isWhole(line)) firstBad ??= number;
    else {
      const parsed = entry.safeParse(JSON.parse(line));
      read.damagedLine ??= firstBad ?? (parsed.success ? null : number);
      if (parsed.success) read.entries.push(parsed.data);
      read.wholeBytes = end + 1;
    }
    from = end === -1 ? bytes.length : end + 1;
  }
  return read;
}

function isWhole(line: string): boolean {
  const sum = START.exec(line)?.[1];
  return sum !== undefined && sum === sumOf(line.slice(START_LENGTH));
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

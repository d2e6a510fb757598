import { writeSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { SpecEvent, SpecEventOf } from '#shared/playwright/events.ts';
import { STAYS_LINE } from './job.ts';
import type { TestError } from './playwright.ts';

/** Where events are written: a pipe to the runner. */
const EVENTS = 3;
/** Characters of a text, and events of a kind; the runner shows fewer. */
const MAX_TEXT = 16_000;
const MAX_EVENTS: Partial<Record<SpecEvent['type'], number>> = {
  stepBegin: 2_000,
  attach: 200,
  log: 1_000,
  console: 500,
  network: 1_000,
  page: 2_000,
  request: 500,
};

const counts = new Map<SpecEvent['type'], number>();

/** Tells the runner, who reads while the script runs; of a kind that there is too much of, no more. */
export function report(event: SpecEvent): void {
  const count = (counts.get(event.type) ?? 0) + 1;
  counts.set(event.type, count);
  if (count <= (MAX_EVENTS[event.type] ?? Number.POSITIVE_INFINITY)) write(JSON.stringify(event));
}

/** Before the first report of each run. */
export function beginReports(): void {
  counts.clear();
}

export function reportStays(): void {
  write(STAYS_LINE);
}

function write(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(EVENTS, rest));
}

/** A text as an event may hold it, without colours and without what the folders of this machine are called. */
export function shown(text: string, folder: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(folder + sep, '')
    .slice(0, MAX_TEXT);
}

type ReportedError = SpecEventOf<'done'>['errors'][number];

/** An error with the place in a file of the check that it comes from, where its stack names one. */
export function shownError(error: TestError, folder: string): ReportedError {
  const message = shown(messageOf(error), folder) || 'Unknown error';
  const stack = error.stack && shown(withoutOwnFrames(error.stack), folder);
  const location = error.location ?? placeIn(error.stack ?? '', folder);
  return {
    message,
    ...(stack && { stack }),
    ...(location && { location: { ...location, file: shown(location.file, folder) } }),
  };
}

function messageOf({ message, value, cause }: TestError): string {
  const own = message ?? value ?? '';
  return cause ? `${own}\n[cause]: ${messageOf(cause)}` : own;
}

/** A stack without the frames of this program. */
function withoutOwnFrames(stack: string): string {
  const rows = stack.split('\n');
  return rows.filter((row) => !row.includes(import.meta.dirname)).join('\n');
}

const FRAME = /\(?((?:file:\/\/)?(?:\/|[A-Za-z]:\\)[^()]*?):(\d+):(\d+)\)?$/;

/** The first frame of a stack that is in the folder and none of a library. */
function placeIn(stack: string, folder: string) {
  for (const row of stripVTControlCharacters(stack).split('\n')) {
    if (!row.trimStart().startsWith('at ')) continue;
    const [, path = '', line, column] = FRAME.exec(row) ?? [];
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    if (file.startsWith(folder + sep) && !file.includes(`${sep}node_modules${sep}`)) {
      return { file, line: Number(line), column: Number(column) };
    }
  }
  return undefined;
}

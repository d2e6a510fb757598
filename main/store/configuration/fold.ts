import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type ChangeSet, idOf } from './change-set.ts';
import { writeAtomic } from './write-atomic.ts';

const CHUNK_BYTES = 256 * 1_024;

/**
 * Writes a file of records anew with changes in it. A file that is laid out as Watchpost lays it out passes through
 * in pieces, and a record that did not change keeps its text; any other is read whole.
 */
export async function fold(path: string, version: number, changes: ChangeSet): Promise<void> {
  try {
    await writeAtomic(path, fileText(version, foldedTexts(recordTexts(path), changes)));
  } catch (error) {
    if (!(error instanceof OtherLayout)) throw error;
    const records = changes.applyTo(await readRecords(path));
    await writeAtomic(path, fileText(version, records.map(textOfRecord)));
  }
}

/** The text of a file, in pieces. @param records the text of each */
export async function* fileText(
  version: number,
  records: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  yield `{\n  "version": ${version},\n  "records": [`;
  let isEmpty = true;
  for await (const text of records) {
    yield isEmpty ? `\n    ${text}` : `,\n    ${text}`;
    isEmpty = false;
  }
  yield isEmpty ? ']\n}\n' : '\n  ]\n}\n';
}

/** Line breaks inside strings are escaped, so every one that stands here is layout. */
export function textOfRecord(record: unknown): string {
  return JSON.stringify(record, null, 2).replaceAll('\n', '\n    ');
}

async function* foldedTexts(
  texts: AsyncIterable<string>,
  changes: ChangeSet,
): AsyncGenerator<string> {
  const listed = new Set<string>();
  for await (const text of texts) {
    const id = idOf(parse(text));
    const changed = changes.of(id);
    if (changed !== undefined) listed.add(id as string);
    if (changed === undefined) yield text;
    else if (changed !== null) yield textOfRecord(changed);
  }
  for (const record of changes.added(listed)) yield textOfRecord(record);
}

/** The file is not laid out as {@link fileText} does it: a person was there, or it is empty. */
class OtherLayout extends Error {
  override readonly name = 'OtherLayout';
}

const HEAD = /^\{\n {2}"version": \d+,\n {2}"records": \[\n/;
const TAIL = '\n  ]\n}\n';
const RECORD_START = '    {\n';
const RECORD_END = '\n    }';

/**
 * The text of each record of a file. In our layout no line of a record is indented by four spaces but its first and
 * its last one; what is cut there in another layout is no JSON.
 * @throws OtherLayout
 */
async function* recordTexts(path: string): AsyncGenerator<string> {
  let text = '';
  let isBegun = false;
  try {
    const chunks = createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks) {
      text += chunk;
      if (!isBegun) text = withoutHead(text);
      isBegun = true;
      let from = 0;
      for (;;) {
        const end = text.indexOf(RECORD_END, from) + RECORD_END.length;
        // Of the last one it is known only with what follows whether it is.
        if (end < RECORD_END.length || !text.startsWith(',\n', end)) break;
        yield recordText(text.slice(from, end));
        from = end + ',\n'.length;
      }
      text = text.slice(from);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new OtherLayout();
  }
  if (!text.endsWith(RECORD_END + TAIL)) throw new OtherLayout();
  yield recordText(text.slice(0, -TAIL.length));
}

function withoutHead(text: string): string {
  const head = HEAD.exec(text);
  if (head === null) throw new OtherLayout();
  return text.slice(head[0].length);
}

function recordText(text: string): string {
  if (!text.startsWith(RECORD_START)) throw new OtherLayout();
  return text.trimStart();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OtherLayout();
  }
}

/** Of a file that was good at the start; none where there is none. */
async function readRecords(path: string): Promise<unknown[]> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as { records: unknown[] }).records;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

import { readFile } from 'node:fs/promises';
import { type ChangeSet, idOf } from './change-set.ts';
import { OtherLayout, parseRecord, recordTexts } from './record-texts.ts';
import { writeAtomic } from './write-atomic.ts';

/**
 * Writes a file of records anew with changes in it. A file that is laid out as Watchpost lays it out passes through
 * in pieces, and a record that did not change keeps its text; any other is read whole.
 */
export async function fold(path: string, version: number, changes: ChangeSet): Promise<void> {
  try {
    await writeAtomic(path, fileText(version, foldedTexts(recordTexts(path, version), changes)));
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
    const id = idOf(parseRecord(text));
    const changed = changes.of(id);
    if (changed !== undefined) listed.add(id as string);
    if (changed === undefined) yield text;
    else if (changed !== null) yield textOfRecord(changed);
  }
  for (const record of changes.added(listed)) yield textOfRecord(record);
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

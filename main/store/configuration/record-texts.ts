import { createReadStream } from 'node:fs';

const CHUNK_BYTES = 256 * 1_024;

/** A file is not laid out as Watchpost does it, or is of another version: a person was there, or it is empty. */
export class OtherLayout extends Error {
  override readonly name = 'OtherLayout';
}

const HEAD = /^\{\n {2}"version": (\d+),\n {2}"records": \[\n/;
/** More than the head of a file of any version has. */
const HEAD_BYTES = 100;
const TAIL = '\n  ]\n}\n';
const RECORD_START = '    {\n';
const RECORD_END = '\n    }';
const NEXT_RECORD = ',\n';

/**
 * The text of each record of a file. In our layout no line of a record is indented by four spaces but its first and
 * its last one; what is cut there in another layout is no JSON. It is cut as bytes: a text of many records is not made.
 * @throws OtherLayout
 */
export async function* recordTexts(path: string, version: number): AsyncGenerator<string> {
  let bytes: Buffer = Buffer.alloc(0);
  let isBegun = false;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      if (!isBegun) bytes = withoutHead(bytes, version);
      isBegun = true;
      let from = 0;
      for (;;) {
        const end = bytes.indexOf(RECORD_END, from) + RECORD_END.length;
        // Of the last one it is known only with what follows whether it is.
        if (end < RECORD_END.length || !isAt(bytes, end, NEXT_RECORD)) break;
        yield recordText(bytes.toString('utf8', from, end));
        from = end + NEXT_RECORD.length;
      }
      bytes = bytes.subarray(from);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new OtherLayout();
  }
  const text = bytes.toString();
  if (!text.endsWith(RECORD_END + TAIL)) throw new OtherLayout();
  yield recordText(text.slice(0, -TAIL.length));
}

function isAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

function withoutHead(bytes: Buffer, version: number): Buffer {
  const head = HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES));
  if (head === null || Number(head[1]) !== version) throw new OtherLayout();
  return bytes.subarray(head[0].length);
}

function recordText(text: string): string {
  if (!text.startsWith(RECORD_START)) throw new OtherLayout();
  return text.trimStart();
}

/** @throws OtherLayout where it is no JSON */
export function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OtherLayout();
  }
}

import { createReadStream } from 'node:fs';

const CHUNK_BYTES = 256 * 1_024;

/** A file is not laid out as Watchpost does it, or is of another version: a person was there, or it is empty. */
export class OtherLayout extends Error {
  override readonly name = 'OtherLayout';
}

const HEAD = /^\{\n {2}"version": (\d+),\n {2}"records": \[\n/;
const TAIL = '\n  ]\n}\n';
const RECORD_START = '    {\n';
const RECORD_END = '\n    }';

/**
 * The text of each record of a file. In our layout no line of a record is indented by four spaces but its first and
 * its last one; what is cut there in another layout is no JSON.
 * @throws OtherLayout
 */
export async function* recordTexts(path: string, version: number): AsyncGenerator<string> {
  let text = '';
  let isBegun = false;
  try {
    const chunks = createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks) {
      text += chunk;
      if (!isBegun) text = withoutHead(text, version);
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

function withoutHead(text: string, version: number): string {
  const head = HEAD.exec(text);
  if (head === null || Number(head[1]) !== version) throw new OtherLayout();
  return text.slice(head[0].length);
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

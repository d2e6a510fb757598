import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type SuiteEvent, suiteEvent } from '#shared/playwright/suite-events.ts';
import { isStructureBounded } from '#shared/sandbox/json-structure.ts';
import { LineReader } from '#shared/sandbox/script-host.ts';

/** Characters of one line, and of its structure, and of all lines: what is beyond is not read. */
const MAX_LINE_CHARS = 16 * 1024 ** 2;
const MAX_STRUCTURE_CHARS = 1024 ** 2;
const MAX_CHARS = 256 * 1024 ** 2;

/** Hands on the events in a file, which a project may have written to itself; none where it is not there. */
export async function readEvents(
  path: string,
  onEvent: (event: SuiteEvent) => void,
): Promise<void> {
  await using file = await openIfThere(path);
  if (file === null || !(await file.stat()).isFile()) return;
  const reader = new LineReader(MAX_LINE_CHARS);
  let chars = 0;
  for await (const chunk of file.createReadStream({ encoding: 'utf8', autoClose: false })) {
    chars += (chunk as string).length;
    const lines = chars > MAX_CHARS ? null : reader.push(chunk as string);
    if (lines === null) return;
    for (const line of lines) {
      const event = readEvent(line);
      if (event) onEvent(event);
    }
  }
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Null where there is none, and for a link, which may lead anywhere. */
async function openIfThere(path: string) {
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function readEvent(line: string): SuiteEvent | null {
  if (!isStructureBounded(line, MAX_STRUCTURE_CHARS)) return null;
  try {
    return suiteEvent.safeParse(JSON.parse(line)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

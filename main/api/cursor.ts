import { z } from 'zod';
import type { CursorPage } from '#main/services/resource.ts';
import type { ResultPage } from '#main/store/history/history.ts';
import { orUnset } from '#shared/checks/unset.ts';

/** A cursor is the 16 bytes of a UUID in base64url: opaque to clients, checked by us. */

const BYTES = 16;
const CURSOR = /^[A-Za-z0-9_-]{22}$/;

/** The id that a cursor stands for; undefined for what is no cursor. */
export function readCursor(cursor: string): string | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== BYTES || bytes.toString('base64url') !== cursor) return undefined;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function writeCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** The query member that takes a cursor; an empty one is none, as scripts write `?nextId=$NEXT`. */
export const nextId = orUnset(
  z
    .string()
    .refine((cursor) => readCursor(cursor) !== undefined, {
      error: 'expected the nextId of an earlier answer',
    })
    .meta({ description: '`nextId` of the previous answer' })
    .optional(),
  '',
).optional();

/** The schema of a list by cursor. */
export const cursorList = <T extends z.ZodType>(entry: T) =>
  z.object({ length: z.int(), entries: z.array(entry), nextId: z.string().nullable() });

/** The id after which a list goes on. */
export function afterCursor({ nextId: cursor }: { nextId?: string | undefined }) {
  return cursor === undefined ? undefined : readCursor(cursor);
}

/** The answer of a list by cursor, each entry as `view` shows it. */
export function listedByCursor<T>({ items, next }: CursorPage<T>, view: (item: T) => unknown) {
  const nextId = next === null ? null : writeCursor(next);
  return { content: { json: { length: items.length, entries: items.map(view), nextId } } };
}

/** The answer of a list by cursor: `{ length, entries, nextId }`, around entries that are text already. */
export function cursorPage(page: Pick<ResultPage, 'entries' | 'length' | 'nextBefore'>) {
  const { entries, length, nextBefore } = page;
  const next = nextBefore === null ? null : writeCursor(nextBefore);
  return {
    content: {
      parts: [
        Buffer.from(`{"length":${length},"entries":`),
        entries,
        Buffer.from(`,"nextId":${JSON.stringify(next)}}`),
      ],
    },
  };
}

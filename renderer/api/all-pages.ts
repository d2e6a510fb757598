/** Entries that a page of a list has at most. */
const LIMIT = 100;

/** All entries of a list that comes page by page, for lists of which an account has a bounded number. */
export async function allPages<T>(
  read: (page: { limit: number; page: number }) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const entries = await read({ limit: LIMIT, page });
    all.push(...entries);
    if (entries.length < LIMIT) return all;
  }
}

import type { Listed } from '#main/services/resource.ts';
import { contentRange } from '#shared/api/content-range.ts';
import type { Reply } from './operation.ts';

interface PageQuery {
  page: number;
  limit: number;
}

/** One page of a list, with its `Content-Range`; each item as `view` shows it, when it is sent. */
export function pageOf<T>(
  items: readonly T[],
  query: PageQuery,
  view: (item: T) => unknown,
): Reply {
  return listedPage({ items: shownOf(items, query), total: items.length }, query, view);
}

/** The same of a page that was read as one. */
export function listedPage<T>(
  { items, total }: Listed<T>,
  query: PageQuery,
  view: (item: T) => unknown,
): Reply {
  return {
    headers: { 'content-range': contentRange(firstOf(query), items.length, total) },
    content: { items: items.values().map(view) },
  };
}

/** The items of a page. */
export function shownOf<T>(items: readonly T[], query: PageQuery): T[] {
  const first = firstOf(query);
  return items.slice(first, first + query.limit);
}

function firstOf({ page, limit }: PageQuery): number {
  return (page - 1) * limit;
}

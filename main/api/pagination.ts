import { contentRange } from '#shared/api/content-range.ts';
import type { Reply } from './operation.ts';

interface PageQuery {
  page: number;
  limit: number;
}

/**
 * One page of a list, with its `Content-Range` (contract 1.1); each item as `view` shows it, when it
 * is sent.
 */
export function pageOf<T>(
  items: readonly T[],
  query: PageQuery,
  view: (item: T) => unknown,
): Reply {
  const shown = shownOf(items, query);
  return {
    headers: { 'content-range': contentRange(firstOf(query), shown.length, items.length) },
    content: { items: shown.values().map(view) },
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

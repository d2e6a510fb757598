import { contentRange } from '#shared/api/content-range.ts';
import type { Reply } from './operation.ts';

/**
 * One page of a list, with its `Content-Range` (contract 1.1); each item as `view` shows it, when it
 * is sent.
 */
export function pageOf<T>(
  items: readonly T[],
  { page, limit }: { page: number; limit: number },
  view: (item: T) => unknown,
): Reply {
  const first = (page - 1) * limit;
  const shown = items.slice(first, first + limit);
  return {
    headers: { 'content-range': contentRange(first, shown.length, items.length) },
    content: { items: shown.values().map(view) },
  };
}

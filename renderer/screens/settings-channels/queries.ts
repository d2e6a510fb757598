import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

/** As many as there may be are two pages. */
const PAGE = 100;
const MAX_CHANNELS = 200;

export const channelsQuery = queryOptions({
  queryKey: ['alert-channels'],
  queryFn: async ({ signal }) => {
    const pages = Array.from({ length: MAX_CHANNELS / PAGE }, (_, index) => index + 1);
    const read = (page: number) =>
      api('GET /v1/alert-channels', { query: { limit: PAGE, page }, signal });
    return (await Promise.all(pages.map(read))).flat();
  },
});

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: ['alert-channels', id],
    queryFn: ({ signal }) => api('GET /v1/alert-channels/{id}', { params: { id }, signal }),
  });

const DAY_MS = 86_400_000;
const LOG_PAGE = 50;

interface LogPage {
  /** Epoch ms: the end of the day that is read; null: now. */
  to: number | null;
  page: number;
}

/** What a channel was sent, newest first, day by day and page by page; read anew when something is sent. */
export const logQuery = (alertChannelId: number, hasFailures: true | undefined) =>
  infiniteQueryOptions({
    queryKey: ['alerts', 'log', alertChannelId, hasFailures],
    initialPageParam: { to: null, page: 1 } as LogPage,
    queryFn: async ({ signal, pageParam }) => {
      const to = pageParam.to ?? Date.now() + 1_000;
      const query = {
        alertChannelId,
        hasFailures,
        from: new Date(to - DAY_MS).toISOString(),
        to: new Date(to).toISOString(),
        limit: LOG_PAGE,
        page: pageParam.page,
      };
      const lines = await api('GET /v1/alert-notifications', { query, signal });
      return { lines, from: to - DAY_MS };
    },
    getNextPageParam: ({ lines, from }, _all, { to, page }): LogPage =>
      lines.length === LOG_PAGE
        ? { to: to ?? from + DAY_MS, page: page + 1 }
        : { to: from, page: 1 },
  });

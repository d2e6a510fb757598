import { queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

const AGAIN_MS = 400;
const MAX_CHANNELS = 100;

/** The first result of a check, asked for until it is there. */
export const firstResultQuery = (checkId: string) =>
  queryOptions({
    queryKey: ['check', checkId, 'first-result'],
    queryFn: async ({ signal }) => {
      const { entries } = await api('GET /v2/check-results/{checkId}', {
        params: { checkId },
        query: { limit: 1 },
        signal,
      });
      const id = entries[0]?.id;
      if (id === undefined) return null;
      return api('GET /v1/check-results/{checkId}/{checkResultId}', {
        params: { checkId, checkResultId: id },
        signal,
      });
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? false : AGAIN_MS),
  });

export const firstCheckQuery = (id: string) =>
  queryOptions({
    queryKey: ['check', id],
    queryFn: ({ signal }) => api('GET /v3/checks/{id}', { params: { id }, signal }),
  });

export const channelsQuery = queryOptions({
  queryKey: ['alert-channels', 'first'],
  queryFn: ({ signal }) =>
    api('GET /v1/alert-channels', { query: { limit: MAX_CHANNELS, page: 1 }, signal }),
});

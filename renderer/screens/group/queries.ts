import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '#renderer/api/client.ts';

export type ShownGroup = Answer<'GET /v1/check-groups/{id}'>;

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['group', Number(id)],
    queryFn: ({ signal }) => api('GET /v1/check-groups/{id}', { params: { id }, signal }),
  });

/** How the account alerts, for groups that leave it to the account. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api('GET /app/account', { signal }),
});

const MAX_CHANNELS = 100;

/** As the editor of checks asks for them. */
export const channelsQuery = queryOptions({
  queryKey: ['alert-channels'],
  queryFn: ({ signal }) =>
    api('GET /v1/alert-channels', { query: { limit: MAX_CHANNELS, page: 1 }, signal }),
});

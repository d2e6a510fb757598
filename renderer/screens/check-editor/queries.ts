import { queryOptions } from '@tanstack/react-query';
import { allPages } from '#renderer/api/all-pages.ts';
import { api } from '#renderer/api/client.ts';

/** A check with all that can be changed of it, also the files of its script. */
export const editedCheckQuery = (id: string) =>
  queryOptions({
    queryKey: ['check', id, 'edited'],
    // What is typed is changed against this: it is read anew only when the form is opened again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) =>
      api('GET /v3/checks/{id}', { params: { id }, query: { includeDependencies: true }, signal }),
  });

/** How the account alerts and tries again, for checks that say nothing of their own. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api('GET /app/account', { signal }),
});

export const channelsQuery = queryOptions({
  queryKey: ['alert-channels'],
  queryFn: ({ signal }) =>
    allPages((page) => api('GET /v1/alert-channels', { query: page, signal })),
});

export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: ['group', id],
    queryFn: ({ signal }) => api('GET /v1/check-groups/{id}', { params: { id }, signal }),
  });

import { queryOptions } from '@tanstack/react-query';
import { allPages } from '#renderer/api/all-pages.ts';
import { api } from '#renderer/api/client.ts';

/** All variables of the account; the values of secrets are null. */
export const variablesQuery = queryOptions({
  queryKey: ['variables'],
  queryFn: ({ signal }) => allPages((page) => api('GET /v1/variables', { query: page, signal })),
});

/** All snippets, with their code. */
export const snippetsQuery = queryOptions({
  queryKey: ['snippets'],
  queryFn: ({ signal }) => allPages((page) => api('GET /v1/snippets', { query: page, signal })),
});

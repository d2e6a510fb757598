import { queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => api('GET /app/keys', { signal }),
});

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }) => api('GET /app/sign-ins', { signal }),
});

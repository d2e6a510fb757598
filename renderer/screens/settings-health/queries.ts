import { queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

/** As often as the appliance notes how it does. */
const EVERY_MS = 10_000;

export const vitalsQuery = queryOptions({
  queryKey: ['vitals'],
  queryFn: ({ signal }) => api('GET /app/vitals', { signal }),
  refetchInterval: EVERY_MS,
});

export const storageQuery = queryOptions({
  queryKey: ['storage'],
  queryFn: ({ signal }) => api('GET /app/storage', { signal }),
  refetchInterval: 6 * EVERY_MS,
});

export const connectivityQuery = queryOptions({
  queryKey: ['connectivity'],
  queryFn: ({ signal }) => api('GET /app/connectivity', { signal }),
  refetchInterval: EVERY_MS,
});

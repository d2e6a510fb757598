import { queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

/** Read anew with each trigger, as live events name it. */
export const batchesQuery = queryOptions({
  queryKey: ['check-sessions'],
  queryFn: ({ signal }) => api('GET /app/check-sessions', { signal }),
});

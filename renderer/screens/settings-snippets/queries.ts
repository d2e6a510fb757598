import { queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

/** The key begins as that of all snippets: it is read anew when one changes. */
export const snippetQuery = (id: string) =>
  queryOptions({
    queryKey: ['snippets', id],
    queryFn: ({ signal }) => api('GET /v1/snippets/{id}', { params: { id }, signal }),
  });

import { queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

/** What checks, groups and snippets can use: a variable by its key, a snippet by its id. */
export interface Used {
  kind: 'variables' | 'snippets';
  id: string | number;
  name: string;
}

/** What uses it, looked for anew each time: whoever changes a script changes that. */
export const usersQuery = ({ kind, id }: Used) =>
  queryOptions({
    queryKey: [kind, id, 'users'],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      kind === 'variables'
        ? api('GET /app/variables/{key}/users', { params: { key: id }, signal })
        : api('GET /app/snippets/{id}/users', { params: { id }, signal }),
  });

import { queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';

/** An uploaded archive, by its key; it then stays for a day more. */
export const archiveQuery = (key: string) =>
  queryOptions({
    queryKey: ['archive', key],
    queryFn: ({ signal }) =>
      api('POST /next/checkly-storage/peek-code-bundle', { body: { key }, signal }),
  });

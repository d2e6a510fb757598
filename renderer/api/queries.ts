import { QueryClient } from '@tanstack/react-query';
import { connectionStore } from './connection.ts';
import { isUnreachable } from './problem.ts';

const MAX_RETRIES = 3;

/** What was read from the API. What was refused is not asked again; no answer is. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      retry: (failures, error) => isUnreachable(error) && failures < MAX_RETRIES,
    },
    mutations: { networkMode: 'always' },
  },
});

// What is shown may have changed while nothing was heard.
connectionStore.subscribe(() => {
  if (connectionStore.get() === 'back') void queryClient.invalidateQueries();
});

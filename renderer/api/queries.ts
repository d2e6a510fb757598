import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { connectionStore } from './connection.ts';
import { isUnreachable } from './problem.ts';

const MAX_RETRIES = 3;

/** Reads again also what was being read for the first time, which the library would take for up to date. */
class Queries extends QueryClient {
  override invalidateQueries<K extends QueryKey>(
    filters: InvalidateQueryFilters<K> = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const again = ({ queryKey }: { queryKey: QueryKey }) =>
      super.invalidateQueries({ queryKey, exact: true });
    for (const query of this.getQueryCache().findAll(filters)) {
      if (query.state.data === undefined) query.promise?.then(() => again(query), ignore);
    }
    return super.invalidateQueries(filters, options);
  }
}

/** Whoever shows it says why it could not be read. */
const ignore = () => undefined;

/** What was read from the API. What was refused is not asked again; no answer is. */
export const queryClient = new Queries({
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

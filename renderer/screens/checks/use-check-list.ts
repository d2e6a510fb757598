import { useDeferredValue, useMemo } from 'react';
import type { KnownChecks } from '#shared/summaries/apply-events.ts';
import {
  arrangeChecks,
  type CheckFilter,
  filterChecks,
  type ListRow,
  sortByName,
} from '#shared/summaries/check-list.ts';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import type { ChecksSearch } from './search.ts';

export interface CheckList {
  /** Every check, by name. */
  all: CheckSummary[];
  /** In the order in which they belong now. */
  rows: ListRow[];
  /** Another one where somebody asked for other rows, and not where checks moved by themselves. */
  asked: string;
}

/** The rows of the list; filtered and ordered anew only where checks came, went or stand elsewhere. */
export function useCheckList(known: KnownChecks, search: ChecksSearch): CheckList {
  // biome-ignore lint/correctness/useExhaustiveDependencies: names change with their number only
  const order = useMemo(() => sortByName(known.checks.values()).map(({ id }) => id), [known.names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: places change with their number only
  const all = useMemo(
    () => order.map((id) => known.checks.get(id)).filter((check) => check !== undefined),
    [order, known.layout],
  );
  const asked = useDeferredValue(JSON.stringify(search));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the groups change with the layout
  const rows = useMemo(() => {
    const { q, state, type, tag, by = 'group' }: ChecksSearch = JSON.parse(asked);
    const filter: CheckFilter = { text: q, states: state, types: type, tags: tag };
    return arrangeChecks(filterChecks(all, filter, known.groups), known.groups, by);
  }, [all, asked, known.layout]);
  return { all, rows, asked };
}

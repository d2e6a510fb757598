import { choiceParam, textParam } from '#renderer/app/search-params.ts';
import { PERIODS, type Period } from '#renderer/parts/period.ts';

export const TABS = ['overview', 'runs', 'alerts', 'settings'] as const;
export type CheckTab = (typeof TABS)[number];

export const RUN_FILTERS = ['failed', 'passed', 'attempts'] as const;

export interface CheckSearch {
  tab?: CheckTab | undefined;
  period?: Period | undefined;
  /** Of the list of runs. */
  runs?: (typeof RUN_FILTERS)[number] | undefined;
  location?: string | undefined;
  /** ISO 8601: only runs before it. */
  until?: string | undefined;
  /** Where a page of the list begins. */
  after?: string | undefined;
  /** The check session that is watched. */
  session?: string | undefined;
}

/** What of an address the screen understands. */
export function checkSearch(search: Record<string, unknown>): CheckSearch {
  return {
    tab: choiceParam(search.tab, TABS),
    period: choiceParam(search.period, PERIODS),
    runs: choiceParam(search.runs, RUN_FILTERS),
    location: textParam(search.location),
    until: instantParam(search.until),
    after: textParam(search.after),
    session: textParam(search.session),
  };
}

function instantParam(value: unknown): string | undefined {
  const written = textParam(value);
  return written !== undefined && !Number.isNaN(Date.parse(written)) ? written : undefined;
}

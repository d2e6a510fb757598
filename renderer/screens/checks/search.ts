import { choiceParam, choicesParam, textParam, textsParam } from '#renderer/app/search-params.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { GROUPINGS, type Grouping } from '#shared/summaries/check-list.ts';
import { CHECK_STATES, type CheckState } from '#shared/summaries/check-state.ts';

/** Which checks are shown, and how: all of it stands in the address. */
export interface ChecksSearch {
  q?: string | undefined;
  state?: CheckState[] | undefined;
  type?: CheckType[] | undefined;
  tag?: string[] | undefined;
  /** Missing: by group. */
  by?: Grouping | undefined;
  /** The check that was made on an empty appliance, while its first result and its channels are shown. */
  first?: string | undefined;
}

export function readSearch(search: Record<string, unknown>): ChecksSearch {
  return {
    q: textParam(search.q),
    state: choicesParam(search.state, CHECK_STATES),
    type: choicesParam(search.type, CHECK_TYPES),
    tag: textsParam(search.tag),
    by: choiceParam(search.by, GROUPINGS),
    first: textParam(search.first),
  };
}

import { choiceParam } from '#renderer/app/search-params.ts';

export const CHANNEL_PARTS = ['settings', 'subscriptions', 'log'] as const;

export interface ChannelSearch {
  part?: (typeof CHANNEL_PARTS)[number] | undefined;
  /** Of the log: only what did not arrive. */
  failed?: true | undefined;
}

/** What of an address the screen of a channel understands. */
export function channelSearch(search: Record<string, unknown>): ChannelSearch {
  return {
    part: choiceParam(search.part, CHANNEL_PARTS),
    failed: search.failed === true ? true : undefined,
  };
}

import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type Answer, api } from '#renderer/api/client.ts';
import { SPANS } from '#renderer/parts/period.ts';
import { type AlertsSearch, DEFAULT_ALERTS_PERIOD } from './search.ts';

export type ShownAlert = Answer<'GET /app/check-alerts'>[number];

const PAGE = 50;

/** Alerts with who was told, newest first, page by page; read anew when one comes or one is sent. */
export const alertsQuery = ({ period = DEFAULT_ALERTS_PERIOD, says, told, check }: AlertsSearch) =>
  infiniteQueryOptions({
    queryKey: ['alerts', period, says, told, check],
    placeholderData: keepPreviousData,
    initialPageParam: 1,
    queryFn: ({ signal, pageParam }) =>
      api('GET /app/check-alerts', {
        query: {
          from: new Date(Date.now() - SPANS[period].ms).toISOString(),
          to: new Date(Date.now() + 60_000).toISOString(),
          checkId: check,
          says,
          isTold: told && told === 'yes',
          limit: PAGE,
          page: pageParam,
        },
        signal,
      }),
    getNextPageParam: (last, _all, page) => (last.length < PAGE ? undefined : page + 1),
  });

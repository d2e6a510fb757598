import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';
import { type Period, SPANS } from '#renderer/parts/period.ts';
import type { FlapSettings } from '#shared/alerting/flap-settings.ts';
import type { AlertSettings } from '#shared/checks/blocks.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api('GET /app/account', { signal }),
});

/** Settings that are tried. */
export interface TriedSettings {
  alertSettings: AlertSettings;
  flapping: FlapSettings;
}

/** What settings would have sent in a time, beside what those that there are would have. */
export const simulationQuery = (period: Period, tried: TriedSettings) =>
  queryOptions({
    queryKey: ['simulation', period, tried],
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const to = Date.now();
      const from = to - SPANS[period].ms;
      const body = { ...tried, from, to };
      const answer = await api('POST /app/alert-policy/simulate', { body, signal });
      return { ...answer, from, to };
    },
  });

import { queryOptions } from '@tanstack/react-query';
import type { ShownResult } from '#renderer/api/answers.ts';
import { api } from '#renderer/api/client.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import type { Usual } from '#shared/results/changes.ts';

const DAY_MS = 86_400_000;
const GOOD_TRIED = 5;

export const resultQuery = (checkId: string, resultId: string) =>
  queryOptions({
    queryKey: ['result', checkId, resultId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }): Promise<ShownResult> =>
      api('GET /v1/check-results/{checkId}/{checkResultId}', {
        params: { checkId, checkResultId: resultId },
        signal,
      }),
  });

/** The check of a result, for its name and its scripts. */
export const checkQuery = (id: string) =>
  queryOptions({
    queryKey: ['check', id],
    queryFn: ({ signal }) => api('GET /v3/checks/{id}', { params: { id }, signal }),
  });

/** The last good run before a result, at its location; null where there is none. */
export const lastGoodQuery = ({ id, checkId, created_at, runLocation }: ShownResult) =>
  queryOptions({
    queryKey: ['result', checkId, id, 'last-good'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<ShownResult | null> => {
      const query = {
        limit: GOOD_TRIED,
        hasFailures: false,
        to: created_at,
        location: runLocation,
      };
      const { entries } = await api('GET /v2/check-results/{checkId}', {
        params: { checkId },
        query,
        signal,
      });
      return entries.find(({ hasErrors }) => !hasErrors) ?? null;
    },
  });

/** The metrics that are phases, by the type that has them, and its kind of analytics. */
const PHASE_METRICS: Partial<Record<CheckType, { kind: string; names: readonly string[] }>> = {
  API: { kind: 'api-checks', names: ['dns', 'tcp', 'firstByte', 'download'] },
  URL: { kind: 'url-monitors', names: ['dns', 'tcp', 'firstByte', 'download'] },
  TCP: { kind: 'tcp-checks', names: ['dns', 'connection', 'data'] },
};

/** What the phases of a check usually take: in good runs of the day up to the last one. */
export const usualQuery = ({ checkId, checkType }: ShownResult, good: ShownResult) =>
  queryOptions({
    queryKey: ['result', checkId, good.id, 'usual'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Usual> => {
      const metrics = PHASE_METRICS[checkType];
      if (metrics === undefined) return {};
      const to = Date.parse(good.created_at) + 1;
      const { series } = await api('GET /v1/analytics/{kind}/{id}', {
        params: { kind: metrics.kind, id: checkId },
        query: {
          metrics: metrics.names.flatMap((name) => [`${name}_p50`, `${name}_p95`]),
          filterByStatus: 'success',
          from: new Date(to - DAY_MS).toISOString(),
          to: new Date(to).toISOString(),
        },
        signal,
      });
      const row = series[0]?.data[0] ?? {};
      return Object.fromEntries(
        metrics.names.flatMap((name) => {
          const [p50, p95] = [row[`${name}_p50`], row[`${name}_p95`]];
          return typeof p50 === 'number' && typeof p95 === 'number' ? [[name, { p50, p95 }]] : [];
        }),
      );
    },
  });

/** How long retries of one run may lie apart. */
const SEQUENCE_MS = 30 * 60_000;

/** All attempts of the run that a result is one of, the first one first. */
export const attemptsQuery = ({ id, checkId, created_at, sequenceId }: ShownResult) =>
  queryOptions({
    queryKey: ['result', checkId, id, 'attempts'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<ShownResult[]> => {
      const at = Date.parse(created_at);
      const read = (from: number, to: number) =>
        api('GET /v2/check-results/{checkId}', {
          params: { checkId },
          query: {
            resultType: 'ALL',
            limit: 50,
            from: new Date(from).toISOString(),
            to: new Date(to).toISOString(),
          },
          signal,
        });
      const answers = await Promise.all([
        read(at - SEQUENCE_MS, at + 1),
        read(at + 1, at + SEQUENCE_MS),
      ]);
      const all = answers.flatMap(({ entries }) => entries);
      return all
        .filter((one) => one.sequenceId === sequenceId)
        .toSorted((one, other) => one.attempts - other.attempts);
    },
  });

/** Links open for twelve hours, and are asked for anew well before. */
const LINKS_FRESH_MS = 3_600_000;

/** What a run left: screenshots, traces, videos, files. */
export const assetsQuery = (checkId: string, resultId: string) =>
  queryOptions({
    queryKey: ['result', checkId, resultId, 'assets'],
    staleTime: LINKS_FRESH_MS,
    queryFn: ({ signal }) =>
      api('GET /v1/check-results/{checkId}/{checkResultId}/assets', {
        params: { checkId, checkResultId: resultId },
        signal,
      }),
  });

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ShownCheck, ShownResult } from '#renderer/api/answers.ts';
import { api } from '#renderer/api/client.ts';
import { ApiProblem } from '#renderer/api/problem.ts';
import { type Period, SPANS } from '#renderer/parts/period.ts';
import type { Row } from '#shared/analytics/series.ts';
import type { ResultField } from '#shared/results/check-result.ts';
import { CHART_METRICS } from './metrics.ts';

/** What live events do not tell: charts go on with time. */
const CHARTS_FRESH_MS = 60_000;
const RIBBON_RUNS = 100;
const MINUTE_MS = 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

export const checkQuery = (id: string) =>
  queryOptions({
    queryKey: ['check', id],
    queryFn: ({ signal }) => api('GET /v3/checks/{id}', { params: { id }, signal }),
  });

export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: ['group', id],
    queryFn: ({ signal }) => api('GET /v1/check-groups/{id}', { params: { id }, signal }),
  });

/** Null before the first result. */
export const statusQuery = (checkId: string) =>
  queryOptions({
    queryKey: ['check', checkId, 'status'],
    queryFn: async ({ signal }) => {
      try {
        return await api('GET /v1/check-statuses/{checkId}', { params: { checkId }, signal });
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 404) return null;
        throw error;
      }
    },
  });

const LINE_FIELDS = [
  'id',
  'startedAt',
  'created_at',
  'hasFailures',
  'hasErrors',
  'isDegraded',
  'responseTime',
  'runLocation',
  'failure',
  'attempts',
  'resultType',
] as const satisfies readonly ResultField[];

/** A result as lists show it. */
export type RunLine = Pick<ShownResult, (typeof LINE_FIELDS)[number]>;

/** The last runs, newest first. */
export const lastRunsQuery = (checkId: string) =>
  queryOptions({
    queryKey: ['check', checkId, 'last-runs'],
    queryFn: async ({ signal }): Promise<RunLine[]> => {
      const query = { limit: RIBBON_RUNS, fields: LINE_FIELDS };
      return (await api('GET /v2/check-results/{checkId}', { params: { checkId }, query, signal }))
        .entries;
    },
  });

/** A result and the last good one before it at its location, whole; null where there is none. */
export interface Compared {
  result: ShownResult;
  good: ShownResult | null;
}

const GOOD_TRIED = 5;

/** @param last the last run; undefined where there is none, and nothing may be asked */
export const comparedQuery = (checkId: string, last: RunLine | undefined) =>
  queryOptions({
    queryKey: ['check', checkId, 'compared', last?.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Compared> => {
      const [result, { entries }] = await Promise.all([
        api('GET /v1/check-results/{checkId}/{checkResultId}', {
          params: { checkId, checkResultId: last?.id ?? '' },
          signal,
        }),
        api('GET /v2/check-results/{checkId}', {
          params: { checkId },
          query: {
            limit: GOOD_TRIED,
            hasFailures: false,
            to: last?.created_at,
            location: last?.runLocation,
          },
          signal,
        }),
      ]);
      return { result, good: entries.find(({ hasErrors }) => !hasErrors) ?? null };
    },
  });

/** When a check began to fail, epoch ms: its first failure after its last good run. */
export const failingSinceQuery = (checkId: string) =>
  queryOptions({
    queryKey: ['check', checkId, 'failing-since'],
    queryFn: async ({ signal }): Promise<number | null> => {
      const params = { checkId };
      const passed = { limit: GOOD_TRIED, hasFailures: false, fields: LINE_FIELDS };
      const good = await api('GET /v2/check-results/{checkId}', { params, query: passed, signal });
      const last = good.entries.find(({ hasErrors }) => !hasErrors);
      const failed = {
        limit: 100,
        hasFailures: true,
        fields: LINE_FIELDS,
        ...(last && { from: last.created_at }),
      };
      const bad = await api('GET /v2/check-results/{checkId}', { params, query: failed, signal });
      // Of very many, the first is not among them: it came right after the last good run.
      const first = bad.nextId === null ? bad.entries.at(-1) : (last ?? bad.entries.at(-1));
      return first === undefined ? null : Date.parse(first.startedAt ?? first.created_at);
    },
  });

/** The numbers of a period, and of the one before it. */
export interface PeriodNumbers {
  availability: number | null;
  total: number;
  failed: number;
  p50: number | null;
  p95: number | null;
}

export interface Report {
  from: number;
  to: number;
  now: PeriodNumbers;
  before: PeriodNumbers;
  bucketMs: number;
  /** One for each bucket in which something ran, ascending. */
  buckets: (Row & { at: number })[];
  /** By the label of each location: the same of its p50. */
  locations: { location: string; rows: (Row & { at: number })[] }[];
  /** What metrics are called. */
  labels: Record<string, string>;
}

export const reportQuery = ({ id, checkType }: ShownCheck, period: Period) =>
  queryOptions({
    queryKey: ['check', id, 'report', period],
    refetchInterval: CHARTS_FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Report> => {
      const { kind, main, phases, others } = CHART_METRICS[checkType];
      const { ms, bucketMinutes } = SPANS[period];
      const to = Date.now();
      const from = to - ms;
      const whole = ['availability', ...(main ? [`${main}_p50`, `${main}_p95`] : [])];
      const parts = [...phases, ...others].map((name) => `${name}_p50`);
      const read = (query: object, range = { from, to }) =>
        api('GET /v1/analytics/{kind}/{id}', {
          params: { kind, id },
          query: { metrics: whole, from: iso(range.from), to: iso(range.to), limit: 100, ...query },
          signal,
        });
      const bucketed = { aggregationInterval: bucketMinutes };
      const [now, before, buckets, byLocation] = await Promise.all([
        read({}),
        read({}, { from: from - ms, to: from }),
        read({ ...bucketed, metrics: [...whole, ...parts] }),
        main ? read({ ...bucketed, metrics: [`${main}_p50`], groupBy: 'runLocation' }) : null,
      ]);
      const numbers = (row: Row = {}): PeriodNumbers => ({
        availability: numberOf(row.availability),
        total: Number(row.total ?? 0),
        failed: Number(row.total ?? 0) - Number(row.success ?? 0),
        p50: numberOf(row[`${main}_p50`]),
        p95: numberOf(row[`${main}_p95`]),
      });
      return {
        from,
        to,
        now: numbers(now.series[0]?.data[0]),
        before: numbers(before.series[0]?.data[0]),
        bucketMs: bucketMinutes * MINUTE_MS,
        buckets: placed(buckets.series[0]?.data),
        locations: (byLocation?.series ?? []).map(({ runLocation = '', data }) => ({
          location: runLocation,
          rows: placed(data),
        })),
        labels: Object.fromEntries(
          Object.entries(buckets.metadata).map(([name, { label }]) => [name, label]),
        ),
      };
    },
  });

function placed(rows: readonly Row[] = []): (Row & { at: number })[] {
  return rows.map((row) => ({ ...row, at: Date.parse(String(row.period)) }));
}

function numberOf(value: Row[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

const MAX_FAILED_PAGES = 3;

/** The failed runs of a period, newest first; of very many the newest. */
export const failedRunsQuery = (checkId: string, period: Period) =>
  queryOptions({
    queryKey: ['check', checkId, 'failed', period],
    refetchInterval: CHARTS_FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<RunLine[]> => {
      const failed: RunLine[] = [];
      const from = iso(Date.now() - SPANS[period].ms);
      let nextId: string | null | undefined;
      for (let page = 0; page < MAX_FAILED_PAGES && nextId !== null; page++) {
        const query = { limit: 100, hasFailures: true, from, nextId, fields: LINE_FIELDS };
        const answer = await api('GET /v2/check-results/{checkId}', {
          params: { checkId },
          query,
          signal,
        });
        failed.push(...answer.entries);
        nextId = answer.nextId;
      }
      return failed;
    },
  });

export interface RunsAsked {
  resultType: 'FINAL' | 'ALL';
  hasFailures?: boolean | undefined;
  location?: string | undefined;
  to?: string | undefined;
  nextId?: string | undefined;
}

export const RUNS_SHOWN = 50;

/** A page of the list of runs. */
export const runsQuery = (checkId: string, asked: RunsAsked) =>
  queryOptions({
    queryKey: ['check', checkId, 'runs', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<{ entries: RunLine[]; nextId: string | null }> =>
      api('GET /v2/check-results/{checkId}', {
        params: { checkId },
        query: { limit: RUNS_SHOWN, fields: LINE_FIELDS, ...asked },
        signal,
      }),
  });

const ALERTS_SHOWN = 50;

/** Alerts with who was told, newest first, page by page. */
export const alertsQuery = (checkId: string) =>
  infiniteQueryOptions({
    queryKey: ['check', checkId, 'alerts'],
    initialPageParam: 1,
    queryFn: ({ signal, pageParam }) =>
      api('GET /app/check-alerts', {
        query: { checkId, limit: ALERTS_SHOWN, page: pageParam },
        signal,
      }),
    getNextPageParam: (last, _all, page) => (last.length < ALERTS_SHOWN ? undefined : page + 1),
  });

/** When maintenance paused the check, or kept its alerts from being sent. Epoch ms. */
export interface MaintenanceSpan {
  name: string;
  from: number;
  to: number;
}

const MAX_WINDOWS = 10;

/** @param tags of the check and its group */
export const maintenanceQuery = (tags: readonly string[]) =>
  queryOptions({
    queryKey: ['maintenance-windows', [...tags]],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<MaintenanceSpan[]> => {
      const windows = await api('GET /v1/maintenance-windows', { query: { limit: 100 }, signal });
      const concerned = windows.filter(
        (window) =>
          window.pauseAllChecks ||
          window.silenceAllAlerts ||
          [...window.tags, ...window.silenceAlertsTags].some((tag) => tags.includes(tag)),
      );
      const spans = await Promise.all(
        concerned.slice(0, MAX_WINDOWS).map(async ({ id, name }) => {
          const params = { id };
          const query = { limit: 50 };
          const all = await api('GET /v1/maintenance-windows/{id}/maintenances', {
            params,
            query,
            signal,
          });
          return all
            .filter(({ status }) => status !== 'CANCELLED')
            .map(({ startsAt, endsAt }) => ({
              name,
              from: Date.parse(startsAt),
              to: Date.parse(endsAt),
            }));
        }),
      );
      return spans.flat();
    },
  });

/** A check session; live events say when it is another. */
export const sessionQuery = (checkSessionId: string) =>
  queryOptions({
    queryKey: ['check-session', checkSessionId],
    queryFn: ({ signal }) =>
      api('GET /v2/check-sessions/{checkSessionId}', { params: { checkSessionId }, signal }),
  });

const EVENTS_SHOWN = 10;

/** Pings of a heartbeat and those that were missed, newest first, with its numbers. */
export const eventsQuery = (checkId: string) =>
  infiniteQueryOptions({
    queryKey: ['check', checkId, 'events'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const [found] = await api('GET /v1/checks/heartbeats/{checkId}/events', {
        params: { checkId },
        query: {
          startTime: iso(Date.now() - SPANS['30d'].ms),
          endTime: pageParam,
          limit: EVENTS_SHOWN,
        },
        signal,
      });
      return found ?? { events: [], stats: { last24Hours: null, last7Days: null } };
    },
    getNextPageParam: ({ events }) =>
      events.length < EVENTS_SHOWN ? undefined : events.at(-1)?.timestamp,
  });

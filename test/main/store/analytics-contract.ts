import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalyticsHistoryQuery, History } from '#main/store/history/history.ts';
import { namedMetrics } from '#shared/analytics/query.ts';
import type { Series } from '#shared/analytics/series.ts';
import { VITALS } from '#shared/playwright/web-vitals.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { makeResult, NOON } from './records.ts';

const SECOND = 1_000;

/** What every history tells of the numbers of results. */
export function analyticsContract(name: string, open: () => Promise<History>): void {
  let history: History;
  beforeAll(async () => {
    history = await open();
  });
  afterAll(() => history.close());

  /** The series of a browser check. */
  const seriesOf = async (
    checkId: string,
    names: readonly string[],
    query: Partial<AnalyticsHistoryQuery> = {},
  ): Promise<Series[]> => {
    const metrics = namedMetrics('browser-checks', names);
    const answer = await history.analyse({
      checkId,
      checkType: 'BROWSER',
      from: NOON,
      to: NOON + 60 * SECOND,
      bases: [...VITALS, 'responseTime', 'consoleErrors', 'documentErrors'],
      metrics,
      buckets: null,
      groupBy: null,
      filter: null,
      limit: 10,
      page: 1,
      ...query,
    });
    if ('problems' in answer) throw new Error(JSON.stringify(answer.problems));
    return JSON.parse(new TextDecoder().decode(answer.series));
  };

  const browserRun = (
    checkId: string,
    second: number,
    given: Partial<StoredResult> & { urls?: string[] },
  ) => {
    const { urls = [], ...members } = given;
    const pages = urls.map((url) => ({ url, webVitals: {} }));
    return makeResult({
      checkType: 'BROWSER',
      createdAt: NOON + second * SECOND,
      metrics: {},
      ...members,
      checkId,
      detail: JSON.stringify({ browserCheckResult: { pages } }),
    });
  };

  describe(`analytics in the ${name}`, () => {
    test('a browser check is told of page by page', async () => {
      const checkId = randomUUID();
      const results = [
        browserRun(checkId, 0, {
          urls: ['http://shop.test/', 'http://shop.test/cart'],
          responseTime: 2_000,
          metrics: { TTFB: 100, LCP: 900.5, CLS: 0.25, consoleErrors: 3, documentErrors: 1 },
          laterPages: [{ TTFB: 300 }],
        }),
        browserRun(checkId, 1, {
          urls: ['http://shop.test/'],
          responseTime: 1_000,
          hasFailures: true,
          metrics: { TTFB: 200, LCP: 1_100, CLS: 0, consoleErrors: 1, documentErrors: 0 },
        }),
      ];
      await history.write({ results });
      const names = ['availability', 'TTFB_avg', 'CLS_max', 'documentErrors_sum'];
      expect(await seriesOf(checkId, names)).toEqual([
        {
          data: [
            {
              ...{ availability: 50, total: 2, success: 1 },
              ...{ TTFB_avg: 150, CLS_max: 0.25, documentErrors_sum: 1 },
            },
          ],
        },
      ]);
      expect(
        await seriesOf(checkId, ['availability', 'TTFB_avg', 'responseTime_avg'], {
          groupBy: 'pageIndex',
        }),
      ).toEqual([
        {
          pageIndex: 0,
          data: [
            {
              ...{ pageUrl: 'http://shop.test/', pageIndex: 0, TTFB_avg: 150 },
              ...{ availability: 50, total: 2, success: 1, responseTime_avg: 1_500 },
            },
          ],
        },
        {
          pageIndex: 1,
          data: [
            {
              ...{ pageUrl: 'http://shop.test/cart', pageIndex: 1, TTFB_avg: 300 },
              ...{ availability: 100, total: 1, success: 1, responseTime_avg: 2_000 },
            },
          ],
        },
      ]);
      expect(
        await seriesOf(checkId, ['LCP', 'consoleErrors'], { groupBy: 'pageIndex', limit: 1 }),
      ).toEqual([
        {
          pageIndex: 0,
          data: [
            {
              ...{ pageUrl: 'http://shop.test/', pageIndex: 0 },
              ...{ startedAt: new Date(NOON + SECOND).toISOString(), runLocation: 'eu-west-1' },
              ...{ hasFailures: true, attempts: 0, LCP: 1_100, consoleErrors: 1 },
            },
          ],
        },
        {
          pageIndex: 1,
          data: [
            {
              ...{ pageUrl: 'http://shop.test/cart', pageIndex: 1 },
              ...{ startedAt: new Date(NOON).toISOString(), runLocation: 'eu-west-1' },
              ...{ hasFailures: false, attempts: 0, LCP: null, consoleErrors: 3 },
            },
          ],
        },
      ]);
    });

    test('runs that could not be made, and those of which nothing was measured, have no page', async () => {
      const checkId = randomUUID();
      const metrics = { TTFB: 100 };
      const results = [
        browserRun(checkId, 0, {}),
        browserRun(checkId, 1, { hasErrors: true, metrics, laterPages: [metrics] }),
      ];
      await history.write({ results });
      expect(await seriesOf(checkId, ['availability', 'TTFB_p50'])).toEqual([
        { data: [{ availability: 100, total: 1, success: 1, TTFB_p50: null }] },
      ]);
      expect(await seriesOf(checkId, ['TTFB_p50'], { groupBy: 'pageIndex' })).toEqual([]);
    });

    test.each(['MULTI_STEP', 'PLAYWRIGHT'] as const)(
      'a %s check has its time and its availability',
      async (checkType) => {
        const checkId = randomUUID();
        const results = [1_000, 3_000].map((responseTime, n) =>
          browserRun(checkId, n, { checkType, responseTime, hasFailures: n === 1 }),
        );
        await history.write({ results });
        const names = ['availability', 'responseTime_avg'];
        const only = { checkType, bases: ['responseTime'] };
        expect(await seriesOf(checkId, names, only)).toEqual([
          { data: [{ availability: 50, total: 2, success: 1, responseTime_avg: 2_000 }] },
        ]);
      },
    );
  });
}

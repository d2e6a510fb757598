import { z } from 'zod';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { METRIC_UNITS } from './kinds.ts';
import { AGGREGATIONS } from './metric.ts';

const value = z.union([z.number(), z.string(), z.boolean(), z.null()]);

const series = z.object({
  runLocation: z.string().optional(),
  statusCode: z.number().optional(),
  pageIndex: z.number().optional(),
  data: z.array(z.record(z.string(), value)).meta({
    description:
      'Of buckets with `period`, their start; of single results newest first; of pages with `pageIndex` and `pageUrl`, the address in the last run whose details are kept.',
  }),
});

/** How percentiles came about: of the numbers themselves, or of sums of days. */
export const PERCENTILE_KINDS = ['exact', 'sketch, 1 % relative error'] as const;

const metadata = z.object({
  unit: z.enum(METRIC_UNITS),
  label: z.string(),
  aggregation: z.enum(AGGREGATIONS).optional(),
  percentiles: z.enum(PERCENTILE_KINDS).optional().meta({
    description: 'Of a percentile: a sketch where single results were removed already.',
  }),
});

/** An analytics report (2.12). */
export const analyticsReport = z.object({
  checkId: z.guid(),
  name: z.string(),
  checkType: z.enum(CHECK_TYPES),
  activated: z.boolean(),
  muted: z.boolean(),
  frequency: z.number().optional(),
  from: z.iso
    .datetime()
    .meta({ description: 'Where only sums of days are left, the start of its day (UTC)' }),
  to: z.iso.datetime(),
  tags: z.array(z.string()),
  series: z.array(series),
  pagination: z.object({ page: z.number(), limit: z.number() }),
  metadata: z.record(z.string(), metadata),
});

/** All of a report but its series. */
export type ReportHead = Omit<z.output<typeof analyticsReport>, 'series'>;

/** An item of `GET /v1/analytics/metrics`. */
export const metricView = z.object({
  name: z.string(),
  unit: z.enum(METRIC_UNITS),
  label: z.string(),
  type: z.enum(['Float', 'Integer']),
  aggregated: z.boolean(),
});

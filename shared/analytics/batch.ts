import { z } from 'zod';
import type { Check } from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import type { Row } from './series.ts';

/** Body of `POST /v1/analytics/checks`. */
export const batchBody = z.object({ checkIds: z.array(z.guid()).min(1).max(100) });

export const BATCH_RANGES = [
  'last24Hours',
  'last7Days',
  'thisWeek',
  'lastWeek',
  'lastMonth',
] as const;

const number = z.number().nullable().optional();

/** Null: there are no runs; left out: checks of the type have no such number. */
export const batchRowView = z.object({
  checkId: z.guid(),
  checkType: z.enum(CHECK_TYPES),
  availability: number,
  responseTime_avg: number,
  responseTime_p50: number,
  responseTime_p95: number,
  responseTime_p99: number,
  latency_avg: number,
  latency_p50: number,
  latency_p95: number,
  latency_p99: number,
  packetLoss_avg: number,
  packetLoss_p95: number,
  packetLoss_p99: number,
});
export type BatchRow = z.output<typeof batchRowView>;

type BatchName = Exclude<keyof BatchRow, 'checkId' | 'checkType'>;
type Names = Partial<Record<BatchName, string>>;

const PARTS = ['avg', 'p50', 'p95', 'p99'] as const;
const numbersOf = (shown: 'responseTime' | 'latency', base: string): Names =>
  Object.fromEntries(PARTS.map((part) => [`${shown}_${part}`, `${base}_${part}`]));

/** The base metric that says how fast a check's target is; null where runs have no duration. */
export const SPEED_METRICS = {
  API: 'responseTime',
  URL: 'responseTime',
  BROWSER: 'responseTime',
  MULTI_STEP: 'responseTime',
  PLAYWRIGHT: 'responseTime',
  TCP: 'total',
  DNS: 'total',
  ICMP: 'latencyAvg',
  HEARTBEAT: null,
} as const satisfies { [T in CheckType]: string | null };

const PINGS: Names = {
  ...numbersOf('latency', SPEED_METRICS.ICMP),
  packetLoss_avg: 'packetLoss_avg',
  packetLoss_p95: 'packetLoss_p95',
  packetLoss_p99: 'packetLoss_p99',
};

/** The metric behind each number. */
function namesOf(type: CheckType): Names {
  const speed = SPEED_METRICS[type];
  if (speed === null) return {};
  return type === 'ICMP' ? PINGS : numbersOf('responseTime', speed);
}

/** The metrics that the numbers of a check come from. */
export function batchMetrics(type: CheckType): string[] {
  return ['availability', ...Object.values(namesOf(type))];
}

export function batchRow(
  { id: checkId, checkType }: Pick<Check, 'id' | 'checkType'>,
  row: Row,
): BatchRow {
  const numbers = Object.entries(namesOf(checkType)).map(([shown, name]) => [shown, row[name]]);
  const { availability = null } = row;
  return batchRowView.parse({
    checkId,
    checkType,
    availability,
    ...Object.fromEntries(numbers),
  });
}

import type { CheckType } from '#shared/checks/enums.ts';
import type { RunMetrics } from '#shared/runs/protocol.ts';

const HTTP = ['wait', 'dns', 'tcp', 'firstByte', 'download', 'total'] as const;

/**
 * Which metric stands in which of the columns m1 to m6 of a result, by type of check. The order is
 * part of what is stored: a name may be added at the end, never moved. Types whose runners measure
 * nothing yet have none.
 */
const METRICS = {
  API: HTTP,
  URL: HTTP,
  TCP: ['dns', 'connection', 'data', 'total'],
  DNS: ['total'],
  ICMP: ['dns', 'latencyAvg', 'latencyMin', 'latencyMax', 'latencyStdDev', 'packetLoss'],
  BROWSER: [],
  MULTI_STEP: [],
  PLAYWRIGHT: [],
  HEARTBEAT: [],
} as const satisfies { [K in CheckType]: readonly string[] };

export type MetricColumns = [
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
];

/** The six columns; null where the run has no such number. Names that the type lacks are left out. */
export function toColumns(type: CheckType, metrics: RunMetrics): MetricColumns {
  const names: readonly string[] = METRICS[type];
  const at = (index: number) => metrics[names[index] ?? ''] ?? null;
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

export function fromColumns(type: CheckType, columns: MetricColumns): RunMetrics {
  const names: readonly string[] = METRICS[type];
  const known = names.map((name, index) => [name, columns[index] ?? null] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, number] => entry[1] !== null));
}

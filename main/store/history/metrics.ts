import { CHECK_TRAITS, type CheckType } from '#shared/checks/enums.ts';
import type { RunMetrics } from '#shared/runs/protocol.ts';

export type MetricColumns = [
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
];

/** The columns m1 to m6 of a result; null where the run has no such number. Names that the type lacks are left out. */
export function toColumns(type: CheckType, metrics: RunMetrics): MetricColumns {
  const names: readonly string[] = CHECK_TRAITS[type].metrics;
  const at = (index: number) => metrics[names[index] ?? ''] ?? null;
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

export function fromColumns(type: CheckType, columns: MetricColumns): RunMetrics {
  const names: readonly string[] = CHECK_TRAITS[type].metrics;
  const known = names.map((name, index) => [name, columns[index] ?? null] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, number] => entry[1] !== null));
}

import { Summary } from '#shared/analytics/summary.ts';
import type { PackedResults } from './result-pack.ts';

/** What remains of the results of a check, a day, a location and an outcome, or of a heartbeat's events. */
export interface RollUpGroup {
  /** The key of its word; 0 for events. */
  location: number;
  /** One of OUTCOME; of events the place of their state in HEARTBEAT_STATES. */
  outcome: number;
  count: number;
  retries: number;
  /** As in packs: the response time, then the type's own metrics. */
  values: readonly Summary[];
}

/** Sums up results that follow one another. */
export function rollUp(stretches: readonly PackedResults[]): RollUpGroup[] {
  const groups = new Map<string, Collected>();
  for (const rows of stretches) {
    for (const index of rows.offsets.keys()) collect(rows, index, groups);
  }
  return [...groups.values()].map(({ columns, ...group }) => ({
    ...group,
    values: columns.map((column) => Summary.of(Float64Array.from(column))),
  }));
}

type Collected = Omit<RollUpGroup, 'values'> & { columns: number[][] };

function collect(rows: PackedResults, index: number, groups: Map<string, Collected>): void {
  const location = rows.locations[index] ?? 0;
  const outcome = rows.outcomes[index] ?? 0;
  const key = `${location} ${outcome}`;
  const known = groups.get(key);
  const columns = known?.columns ?? [];
  const group = known ?? { location, outcome, count: 0, retries: 0, columns };
  if (known === undefined) groups.set(key, group);
  group.count += 1;
  group.retries += rows.retries[index] ?? 0;
  for (const [place, column] of rows.values.entries()) {
    const value = column[index] ?? Number.NaN;
    // Results from before a type had a metric have fewer columns.
    columns[place] ??= [];
    if (!Number.isNaN(value)) columns[place].push(value);
  }
}

/** Both together, with one group for each location and outcome. */
export function joinGroups(
  groups: readonly RollUpGroup[],
  more: readonly RollUpGroup[],
): RollUpGroup[] {
  const all = Map.groupBy(
    [...groups, ...more],
    ({ location, outcome }) => `${location} ${outcome}`,
  );
  return [...all.values()].map(([first, ...rest]) => {
    const group = { ...(first as RollUpGroup) };
    for (const { count, retries, values } of rest) {
      group.count += count;
      group.retries += retries;
      group.values = joinValues(group.values, values);
    }
    return group;
  });
}

/** What was rolled up before a type had a metric has fewer of them. */
function joinValues(values: readonly Summary[], more: readonly Summary[]): Summary[] {
  const joined = [...values];
  for (const [place, summary] of more.entries()) {
    joined[place] ??= new Summary();
    joined[place].merge(summary);
  }
  return joined;
}

import type { ShownCheck } from '#renderer/api/answers.ts';
import type { Report, RunLine } from './queries.ts';
import { everyMs } from './schedule-text.ts';

/** Buckets without a run interrupt a line where this many runs are missing. */
const GAP_RUNS = 3;

type Rows = Report['buckets'];

/** The times of buckets, with one without values in each gap, so that no line leads across it. */
export function timesOf(rows: Rows, bucketMs: number, check: ShownCheck): number[] {
  const gapMs = GAP_RUNS * Math.max(bucketMs, everyMs(check) ?? 0);
  return rows.flatMap(({ at }, index) => {
    const before = rows[index - 1]?.at;
    return before !== undefined && at - before > gapMs ? [before + bucketMs, at] : [at];
  });
}

/** The numbers of a metric at these times. */
export function valuesAt(times: readonly number[], rows: Rows, metric: string) {
  const byTime = new Map(rows.map((row) => [row.at, row[metric]]));
  return times.map((at) => {
    const value = byTime.get(at);
    return typeof value === 'number' ? value : null;
  });
}

/** Failed runs that stand at the same place of a chart. */
export interface FailedMark {
  /** Epoch ms, of the first of them. */
  at: number;
  /** Of the last one. */
  until: number;
  count: number;
  /** Null where only their number is known. */
  run: RunLine | null;
}

/**
 * One mark for each failed run, or for those that would cover each other.
 *
 * @param failed newest first; of the time before its oldest the counts of buckets are taken
 * @param places how many have room beside each other
 */
export function failedMarks(
  report: Report,
  failed: readonly RunLine[],
  places: number,
): FailedMark[] {
  const { from, to, buckets } = report;
  const times = failed.map((run) => ({ run, at: Date.parse(run.startedAt ?? run.created_at) }));
  const known = times.filter(({ at }) => at >= from && at <= to).toReversed();
  const oldest = known.length < report.now.failed ? (known[0]?.at ?? to) : from;
  const counted = buckets
    .map((row) => ({ at: row.at, count: Number(row.total) - Number(row.success), run: null }))
    .filter(({ at, count }) => count > 0 && at >= from && at + report.bucketMs < oldest);
  const single = known.map(({ at, run }) => ({ at, count: 1, run }));
  const marks: FailedMark[] = [];
  for (const { at, count, run } of [...counted, ...single]) {
    const last = marks.at(-1);
    if (last !== undefined && at - last.at < (to - from) / places) {
      last.count += count;
      last.until = at;
    } else marks.push({ at, until: at, count, run });
  }
  return marks;
}

/** How a time is cut into rows: of the same length since 1970 in UTC, or at starts that ascend. */
export type Buckets = { everyMs: number } | { starts: readonly number[] };

/** The bucket that a time is in, epoch ms; what comes before the first start is in the first one. */
export function bucketAt(buckets: Buckets, at: number): { startMs: number; endMs: number } {
  if ('everyMs' in buckets) {
    const startMs = Math.floor(at / buckets.everyMs) * buckets.everyMs;
    return { startMs, endMs: startMs + buckets.everyMs };
  }
  const { starts } = buckets;
  const place = Math.max(
    0,
    starts.findLastIndex((start) => start <= at),
  );
  return { startMs: starts[place] ?? at, endMs: starts[place + 1] ?? Number.POSITIVE_INFINITY };
}

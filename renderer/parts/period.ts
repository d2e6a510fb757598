/** How much of the past a screen shows: it stands in the address. */
export const PERIODS = ['1h', '6h', '24h', '7d', '30d'] as const;
export type Period = (typeof PERIODS)[number];

export const DEFAULT_PERIOD: Period = '24h';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Span {
  ms: number;
  /** Of a bucket of analytics, so that all of them are less than the hundred of one answer. */
  bucketMinutes: number;
}

export const SPANS: Readonly<Record<Period, Span>> = {
  '1h': { ms: HOUR_MS, bucketMinutes: 1 },
  '6h': { ms: 6 * HOUR_MS, bucketMinutes: 5 },
  '24h': { ms: 24 * HOUR_MS, bucketMinutes: 15 },
  '7d': { ms: 7 * 24 * HOUR_MS, bucketMinutes: 120 },
  '30d': { ms: 30 * 24 * HOUR_MS, bucketMinutes: 480 },
};

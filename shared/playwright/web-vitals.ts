/** The web vitals that a browser measures: CLS without a unit, the others in milliseconds. */
export const VITALS = ['TTFB', 'FCP', 'LCP', 'CLS', 'TBT'] as const;
export type Vital = (typeof VITALS)[number];
export type Score = 'GOOD' | 'NEEDS_IMPROVEMENT' | 'POOR';

/** Up to the first a value is good, beyond the second poor (web.dev). */
const LIMITS: Readonly<Record<Vital, readonly [number, number]>> = {
  TTFB: [800, 1_800],
  FCP: [1_800, 3_000],
  LCP: [2_500, 4_000],
  CLS: [0.1, 0.25],
  TBT: [200, 600],
};

export function scoreOf(vital: Vital, value: number): Score {
  const [good, fair] = LIMITS[vital];
  if (value <= good) return 'GOOD';
  return value <= fair ? 'NEEDS_IMPROVEMENT' : 'POOR';
}

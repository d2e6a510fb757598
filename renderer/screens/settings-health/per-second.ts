/** Of a count of some milliseconds. */
export function perSecond(count: number, ms: number): number {
  return (count * 1_000) / ms;
}

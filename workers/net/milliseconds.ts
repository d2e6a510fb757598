/** Milliseconds to the microsecond: what the clock can tell, and short in JSON. */
export function toMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

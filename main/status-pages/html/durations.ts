const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** A duration (ms) in words: `14 min`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  return minutesText(Math.max(1, Math.round(ms / MINUTE_MS)));
}

/** Whole minutes in words. */
export function minutesText(minutes: number): string {
  const [days, hours, rest] = [
    Math.floor(minutes / DAY_MIN),
    Math.floor((minutes % DAY_MIN) / HOUR_MIN),
    minutes % HOUR_MIN,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${rest} min`;
}

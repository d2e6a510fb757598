import { createRequire } from 'node:module';

// Loaded when the first template asks for them: they take 60 ms that most appliances never need.
const require = createRequire(import.meta.url);

/** Longer texts name no time, and would make the search for one slow. */
const MAX_CHARS = 200;

/**
 * `date`: now in ISO 8601; `date FORMAT`: now in a format; `date TIME FORMAT`: an ISO 8601 instant,
 * or what an English phrase names. In UTC; empty for a text that names no time.
 */
export function dateText([first, second]: readonly string[], now: Date): string {
  if (first === undefined) return now.toISOString();
  if (first.length > MAX_CHARS || (second?.length ?? 0) > MAX_CHARS) return '';
  if (second === undefined) return formatted(now, first);
  const at = timeOf(first, now);
  return at === null ? '' : formatted(at, second);
}

function formatted(at: Date, format: string): string {
  const moment: typeof import('moment') = require('moment');
  return moment.utc(at).format(format);
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2}))?$/;

function timeOf(text: string, now: Date): Date | null {
  const instant = ISO.test(text) ? new Date(text) : null;
  if (instant !== null && !Number.isNaN(instant.getTime())) return instant;
  const chrono: typeof import('chrono-node/en') = require('chrono-node/en');
  return chrono.parseDate(text, { instant: now, timezone: 0 });
}

/**
 * Loads a library of dates. They take 60 ms, which most threads never need: the first template that
 * asks for a time has them loaded.
 */
export type LoadLibrary = (name: 'moment' | 'chrono-node/en') => unknown;

interface DateOptions {
  now: Date;
  load: LoadLibrary;
  /** Whether an ISO 8601 date or instant is one; else it is read as a phrase, as all else. */
  readsIso: boolean;
}

/** Longer texts name no time, and would make the search for one slow. */
const MAX_CHARS = 200;

/**
 * The `date` and `moment` of templates: without arguments now in ISO 8601; with one, now in this format
 * of moment.js; with two, the time that the first names, in English, in the format of the second. In
 * UTC. Null for a text that names no time.
 */
export function dateText([first, second]: readonly string[], options: DateOptions): string | null {
  const { now, load } = options;
  if (first === undefined) return now.toISOString();
  if (first.length > MAX_CHARS || (second?.length ?? 0) > MAX_CHARS) return null;
  const at = second === undefined ? now : timeOf(first, options);
  const moment = load('moment') as typeof import('moment');
  return at && moment.utc(at).format(second ?? first);
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2}))?$/;

function timeOf(text: string, { now, load, readsIso }: DateOptions): Date | null {
  const instant = readsIso && ISO.test(text) ? new Date(text) : null;
  if (instant !== null && !Number.isNaN(instant.getTime())) return instant;
  const chrono = load('chrono-node/en') as typeof import('chrono-node/en');
  return chrono.parseDate(text, { instant: now, timezone: 0 });
}

import { createRequire } from 'node:module';

// Loaded when the first template asks for them: they take 60 ms that most threads never need.
const require = createRequire(import.meta.url);

/**
 * `moment`: now in ISO 8601; `moment FORMAT`: now in a format of moment.js; `moment PHRASE FORMAT`:
 * the time that an English phrase names. In UTC. Null for a phrase that names none.
 */
export function momentText(args: readonly string[], now: Date): string | null {
  const [first, second] = args;
  if (args.length > 2) return null;
  if (first === undefined) return now.toISOString();
  if (second === undefined) return formatted(now, first);
  const at = timeOf(first, now);
  return at && formatted(at, second);
}

function formatted(at: Date, format: string): string {
  const moment: typeof import('moment') = require('moment');
  return moment.utc(at).format(format);
}

function timeOf(phrase: string, now: Date): Date | null {
  const chrono: typeof import('chrono-node/en') = require('chrono-node/en');
  return chrono.parseDate(phrase, { instant: now, timezone: 0 });
}

import { Temporal } from 'temporal-polyfill';

/** From `fromMs` on, before `untilMs`, the clock of a zone is `offsetMs` ahead of UTC. */
interface Span {
  fromMs: number;
  untilMs: number;
  offsetMs: number;
}

/** There are some 600 names of zones; a window asks about its first day and about this year. */
const MAX_ZONES = 600;
const MAX_SPANS = 16;

const remembered = new Map<string, Span[]>();

/**
 * By how many milliseconds the wall clock of a zone (IANA name) is ahead of UTC at a moment (epoch
 * milliseconds). Asking the library costs a hundred times what a known span does, and a thousand
 * windows may open at once, so that what it told is remembered until the clock changes next.
 */
export function offsetAt(ms: number, zone: string): number {
  const spans = remembered.get(zone) ?? [];
  const known = spans.find(({ fromMs, untilMs }) => ms >= fromMs && ms < untilMs);
  if (known !== undefined) return known.offsetMs;
  const span = spanFrom(ms, zone);
  if (remembered.size >= MAX_ZONES && spans.length === 0) remembered.clear();
  const others = spans.filter(({ untilMs }) => untilMs !== span.untilMs);
  remembered.set(zone, [span, ...others].slice(0, MAX_SPANS));
  return span.offsetMs;
}

function spanFrom(ms: number, zone: string): Span {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const change = zoned.getTimeZoneTransition('next');
  return {
    fromMs: ms,
    untilMs: change?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: zoned.offsetNanoseconds / 1_000_000,
  };
}

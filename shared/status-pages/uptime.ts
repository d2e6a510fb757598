import { DAY_MS } from '#shared/maintenance/local-time.ts';
import { type ExceptionalDay, PUBLIC_STATES, type PublicState } from './public-page.ts';

/** How many days a page shows of a service. */
export const SHOWN_DAYS = 90;
const MINUTE_MS = 60_000;

/** A time with trouble or maintenance. Epoch ms. */
export interface Span {
  startedAt: number;
  endedAt: number;
}

/** What happened to a service meanwhile. */
export interface Trouble extends Span {
  state: PublicState;
  name: string;
}

/** Spans as they are without their overlaps, oldest first. */
function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { startedAt, endedAt } of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const last = merged.at(-1);
    if (last === undefined || startedAt > last.endedAt) merged.push({ startedAt, endedAt });
    else last.endedAt = Math.max(last.endedAt, endedAt);
  }
  return merged;
}

function clip(spans: readonly Span[], from: number, to: number): Span[] {
  return spans
    .map(({ startedAt, endedAt }) => ({
      startedAt: Math.max(startedAt, from),
      endedAt: Math.min(endedAt, to),
    }))
    .filter(({ startedAt, endedAt }) => endedAt > startedAt);
}

const lengthOf = (spans: readonly Span[]): number =>
  union(spans).reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0);

/** How long trouble lasted within `[from, to)`, epoch ms, without what fell into maintenance. */
export function downMs(
  trouble: readonly Span[],
  maintenance: readonly Span[],
  { from, to }: { from: number; to: number },
): number {
  const planned = clip(maintenance, from, to);
  return lengthOf([...clip(trouble, from, to), ...planned]) - lengthOf(planned);
}

/** Per cent of the last 90 days, rounded down to two decimals, so that 100 is the whole truth. */
export function uptimeOf(
  trouble: readonly Span[],
  maintenance: readonly Span[],
  now: number,
): number {
  const total = SHOWN_DAYS * DAY_MS;
  const down = downMs(trouble, maintenance, { from: now - total, to: now });
  return Math.floor(((total - down) * 10_000) / total) / 100;
}

/** Per cent of several services, rounded down to two decimals. */
export function meanUptime(uptimes: readonly number[]): number {
  const hundredths = uptimes.reduce((sum, uptime) => sum + Math.round(uptime * 100), 0);
  return Math.floor(hundredths / uptimes.length) / 100;
}

/** When the 90 days begin that a page shows: at 00:00 UTC. */
export function firstDayOf(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - (SHOWN_DAYS - 1) * DAY_MS;
}

/** The days (UTC) of a service that had trouble or maintenance, oldest first. */
export function exceptionalDays(
  trouble: readonly Trouble[],
  maintenance: readonly (Span & { name: string })[],
  now: number,
): ExceptionalDay[] {
  const days = new Map<number, (Trouble & { isPlanned: boolean })[]>();
  const all = [
    ...trouble.map((one) => ({ ...one, isPlanned: false })),
    ...maintenance.map((one) => ({ ...one, state: 'maintenance' as const, isPlanned: true })),
  ];
  for (const one of all) {
    for (const day of daysOf(one, now)) days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days]
    .toSorted(([a], [b]) => a - b)
    .map(([day, spans]) => exceptional(day, spans, firstDayOf(now) + day * DAY_MS));
}

/** The numbers of the days that a span touches; one without a length touches its own. */
function daysOf({ startedAt, endedAt }: Span, now: number): number[] {
  const dayAt = (ms: number) => Math.floor((ms - firstDayOf(now)) / DAY_MS);
  const first = Math.max(0, dayAt(startedAt));
  const last = Math.min(SHOWN_DAYS - 1, dayAt(Math.max(startedAt, Math.min(endedAt, now) - 1)));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function exceptional(
  day: number,
  spans: readonly (Trouble & { isPlanned: boolean })[],
  from: number,
): ExceptionalDay {
  const planned = spans.filter(({ isPlanned }) => isPlanned);
  const trouble = spans.filter(({ isPlanned }) => !isPlanned);
  const ms = downMs(trouble, planned, { from, to: from + DAY_MS });
  // Trouble that maintenance covers wholly is part of it.
  const told = planned.length > 0 && ms === 0 ? planned : trouble;
  return {
    day,
    state: worstState(told.map(({ state }) => state)),
    minutesDown: Math.ceil(ms / MINUTE_MS),
    names: [...new Set(told.map(({ name }) => name))],
  };
}

/** The worst of some states; of none, everything works. */
export function worstState(states: Iterable<PublicState>): PublicState {
  const ranks = [...states].map((state) => PUBLIC_STATES.indexOf(state));
  return PUBLIC_STATES[Math.max(0, ...ranks)] ?? 'works';
}

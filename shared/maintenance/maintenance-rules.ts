import { type ChangedWindow, changedStateAt } from './changed-state.ts';
import { Recurrence, type WindowState } from './recurrence.ts';

/** What a maintenance window does. */
export interface WindowEffect extends ChangedWindow {
  id: string;
  /** Checks with one of these tags are not run on their schedule. */
  tags: readonly string[];
  pauseAllChecks: boolean;
  /** Checks with one of these tags run and do not notify. */
  silenceAlertsTags: readonly string[];
  silenceAllAlerts: boolean;
}

/** What maintenance means for one check at one moment. */
export interface Maintenance {
  /** No scheduled run begins; manual ones do. */
  paused: boolean;
  /** Alerts that start now are not sent, nor later. */
  silenced: boolean;
  /** When the last of the open windows that matter to the check closes; null where none does. */
  until: number | null;
}

/**
 * What maintenance means at a moment (epoch milliseconds) for a check with these tags: its own and
 * those of its group.
 */
export function maintenanceOf(
  tags: Iterable<string>,
  calendar: MaintenanceCalendar,
  nowMs: number,
): Maintenance {
  const { paused, silenced } = calendar.at(nowMs);
  const pausedUntil = untilOf(tags, paused);
  const silencedUntil = untilOf(tags, silenced);
  return {
    paused: pausedUntil !== null,
    silenced: silencedUntil !== null,
    until: latest(pausedUntil, silencedUntil),
  };
}

/** Until when the open windows reach: all checks, and those with a tag. */
interface Reach {
  all: number | null;
  byTag: ReadonlyMap<string, number>;
}

interface OpenWindows {
  paused: Reach;
  silenced: Reach;
  fromMs: number;
  untilMs: number;
}

/** A question may be about now, or about when something was due: both sides of a change are asked. */
const REMEMBERED = 4;

interface KnownWindow {
  window: WindowEffect;
  /** Made once for each version of the window. */
  recurrence: Recurrence;
  state: WindowState | null;
}

/**
 * The windows of the account, made to be asked for each check at each slot. A window is looked at
 * only when it opens or closes, and between two such moments the answer is one look-up a tag.
 */
export class MaintenanceCalendar {
  readonly #windows = new Map<string, KnownWindow>();
  /** The latest look first. */
  #open: OpenWindows[] = [];

  constructor(windows: Iterable<WindowEffect> = []) {
    for (const window of windows) this.put(window);
  }

  /** Adds a window, or replaces the one of its id. */
  put(window: WindowEffect): void {
    this.#windows.set(window.id, { window, recurrence: new Recurrence(window), state: null });
    this.#open = [];
  }

  delete(id: string): void {
    this.#windows.delete(id);
    this.#open = [];
  }

  /** What is open at a moment; for {@link maintenanceOf}. */
  at(nowMs: number): OpenWindows {
    const known = this.#open.find((open) => holds(open, nowMs));
    if (known !== undefined) return known;
    const open = this.#look(nowMs);
    this.#open = [open, ...this.#open].slice(0, REMEMBERED);
    return open;
  }

  #look(nowMs: number): OpenWindows {
    const entries = [...this.#windows.values()].map((entry) => {
      const { window, recurrence, state: before } = entry;
      const state =
        before !== null && holds(before, nowMs)
          ? before
          : changedStateAt(window, nowMs, recurrence);
      entry.state = state;
      return { window, state };
    });
    const open = entries.flatMap(({ window, state }) =>
      state.open === null ? [] : [{ window, untilMs: state.open.endsAtMs }],
    );
    return {
      paused: reachOf(open, ({ pauseAllChecks, tags }) => ({ all: pauseAllChecks, tags })),
      silenced: reachOf(open, ({ silenceAllAlerts, silenceAlertsTags }) => ({
        all: silenceAllAlerts,
        tags: silenceAlertsTags,
      })),
      fromMs: entries.reduce((most, { state }) => Math.max(most, state.fromMs), -Infinity),
      untilMs: entries.reduce((least, { state }) => Math.min(least, state.untilMs), Infinity),
    };
  }
}

function holds({ fromMs, untilMs }: { fromMs: number; untilMs: number }, nowMs: number): boolean {
  return nowMs >= fromMs && nowMs < untilMs;
}

function reachOf(
  open: readonly { window: WindowEffect; untilMs: number }[],
  aim: (window: WindowEffect) => { all: boolean; tags: readonly string[] },
): Reach {
  let whole: number | null = null;
  const byTag = new Map<string, number>();
  for (const { window, untilMs } of open) {
    const { all, tags } = aim(window);
    if (all) whole = Math.max(whole ?? untilMs, untilMs);
    for (const tag of tags) byTag.set(tag, Math.max(byTag.get(tag) ?? untilMs, untilMs));
  }
  return { all: whole, byTag };
}

function untilOf(tags: Iterable<string>, { all, byTag }: Reach): number | null {
  if (byTag.size === 0) return all;
  return [...tags].reduce((until, tag) => latest(until, byTag.get(tag) ?? null), all);
}

function latest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

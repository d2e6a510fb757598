import { momentOf, zoneOf } from './local-time.ts';
import type { MaintenanceChange } from './maintenance.ts';
import {
  type Occurrence,
  Recurrence,
  stateAt,
  type WindowState,
  type WindowTimes,
} from './recurrence.ts';

/** A window with what people changed of single occurrences. */
export interface ChangedWindow extends WindowTimes {
  changes: readonly MaintenanceChange[];
}

/** When an occurrence that was changed is. */
export function changedTimes(change: MaintenanceChange, { timezone }: WindowTimes): Occurrence {
  const zone = zoneOf(timezone);
  return {
    startsAtMs: momentOf(change.startsAt, zone),
    endsAtMs: momentOf(change.endsAt, zone),
  };
}

/**
 * Whether a window is open at a moment (epoch milliseconds), and for how long that holds, with what
 * people changed: moved occurrences are where they were moved to, deleted and cancelled ones nowhere.
 * It may hold for longer than is told.
 *
 * @param recurrence of the window, where it was made before
 */
export function changedStateAt(
  window: ChangedWindow,
  nowMs: number,
  recurrence = new Recurrence(window),
): WindowState {
  const { changes } = window;
  const starts = new Set(changes.map(({ plannedAt }) => Date.parse(plannedAt)));
  const planned = stateAt(recurrence, nowMs, (startsAtMs) => starts.has(startsAtMs));
  const changed = changes
    .filter(({ isDeleted, updates }) => !isDeleted && updates.at(-1)?.status !== 'CANCELLED')
    .map((change) => stateIn(changedTimes(change, window), nowMs));
  return changed.reduce(both, planned);
}

function stateIn(occurrence: Occurrence, nowMs: number): WindowState {
  const { startsAtMs, endsAtMs } = occurrence;
  if (nowMs >= endsAtMs) return { open: null, fromMs: endsAtMs, untilMs: Number.POSITIVE_INFINITY };
  if (nowMs >= startsAtMs) return { open: occurrence, fromMs: startsAtMs, untilMs: endsAtMs };
  return { open: null, fromMs: Number.NEGATIVE_INFINITY, untilMs: startsAtMs };
}

/** Of two occurrences that are open, the one that ends last. */
function both(one: WindowState, other: WindowState): WindowState {
  const isOther = other.open !== null && other.open.endsAtMs > (one.open?.endsAtMs ?? -Infinity);
  return {
    open: isOther ? other.open : one.open,
    fromMs: Math.max(one.fromMs, other.fromMs),
    untilMs: Math.min(one.untilMs, other.untilMs),
  };
}

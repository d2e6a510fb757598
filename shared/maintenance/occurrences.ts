import type { z } from 'zod';
import { changedTimes } from './changed-state.ts';
import { DAY_MS } from './local-time.ts';
import type {
  MaintenanceChange,
  MaintenanceStatus,
  MaintenanceUpdate,
  maintenanceView,
  updateView,
} from './maintenance.ts';
import { maintenanceId, plannedStartOf } from './maintenance-id.ts';
import { statusAt } from './maintenance-status.ts';
import {
  firstOccurrence,
  nextOccurrence,
  occurrenceAt,
  occurrencesBetween,
  previousOccurrence,
} from './recurrence.ts';
import type { MaintenanceWindow } from './window.ts';

const PAST_DAYS = 31;
const FUTURE_DAYS = 366;
const MAX_WITHIN = 1_000;

/**
 * The occurrences of a window that lists hold, in the order of their planned starts: those of the
 * month before a moment and of the year after it, and one that is open longer than that; where there
 * are none, the next or else the last one. As people changed them or as they are computed; without those that were deleted.
 */
export function listedMaintenances(window: MaintenanceWindow, nowMs: number): MaintenanceChange[] {
  const monthAgoMs = nowMs - PAST_DAYS * DAY_MS;
  const near = occurrencesBetween(window, {
    fromMs: Math.min(monthAgoMs, occurrenceAt(window, nowMs)?.startsAtMs ?? monthAgoMs),
    toMs: nowMs + FUTURE_DAYS * DAY_MS,
    limit: PAST_DAYS + FUTURE_DAYS + 1,
  });
  const nearest = nextOccurrence(window, nowMs) ?? previousOccurrence(window, nowMs);
  const listed = near.length > 0 || nearest === null ? near : [nearest];
  const changed = new Map(window.changes.map((change) => [change.plannedAt, change]));
  return listed
    .map((planned) => changed.get(iso(planned.startsAtMs)) ?? unchanged(window, planned))
    .filter(({ isDeleted }) => !isDeleted);
}

/**
 * The occurrences that are within a span (epoch milliseconds; `toMs` is not part of it), in whole or in part, as
 * people changed them or as they are computed; without those that were deleted and those of no length. At
 * most 1,000 of a window.
 */
export function maintenancesWithin(
  window: MaintenanceWindow,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): MaintenanceChange[] {
  const { startsAtMs, endsAtMs } = firstOccurrence(window);
  // A change of the clock makes some an hour longer than the first.
  const reachMs = endsAtMs - startsAtMs + DAY_MS;
  const changed = new Set(window.changes.map(({ plannedAt }) => plannedAt));
  const others = occurrencesBetween(window, { fromMs: fromMs - reachMs, toMs, limit: MAX_WITHIN })
    .map((planned) => unchanged(window, planned))
    .filter(({ plannedAt }) => !changed.has(plannedAt));
  return [...others, ...window.changes.filter(({ isDeleted }) => !isDeleted)].filter((one) => {
    const { startsAtMs: from, endsAtMs: to } = changedTimes(one, window);
    return from < toMs && to > fromMs && from < to;
  });
}

/** The occurrence of an id; null where the window has none, or no longer. */
export function findMaintenance(window: MaintenanceWindow, id: string): MaintenanceChange | null {
  const plannedMs = plannedStartOf(window.id, id);
  if (plannedMs === null) return null;
  const [planned] = startingAt(window, plannedMs);
  if (planned === undefined) return null;
  const plannedAt = iso(plannedMs);
  const change = window.changes.find((one) => one.plannedAt === plannedAt);
  if (change?.isDeleted) return null;
  return change ?? unchanged(window, planned);
}

/**
 * What people changed of the occurrences that a window still has with other times. One whose end
 * nobody moved ends when the window now says.
 */
export function changesThatRemain(
  before: MaintenanceWindow,
  after: MaintenanceWindow,
): MaintenanceChange[] {
  return before.changes.flatMap((change) => {
    const [planned] = startingAt(after, Date.parse(change.plannedAt));
    if (planned === undefined) return [];
    const [old] = startingAt(before, Date.parse(change.plannedAt));
    const isMoved = old === undefined || change.endsAt !== iso(old.endsAtMs);
    const startsAtMs = changedTimes(change, after).startsAtMs;
    if (isMoved || planned.endsAtMs <= startsAtMs) return [change];
    return [{ ...change, endsAt: iso(planned.endsAtMs) }];
  });
}

function startingAt(window: MaintenanceWindow, startMs: number) {
  return occurrencesBetween(window, { fromMs: startMs, toMs: startMs + 1, limit: 1 });
}

function unchanged(
  { created_at, updated_at }: MaintenanceWindow,
  { startsAtMs, endsAtMs }: { startsAtMs: number; endsAtMs: number },
): MaintenanceChange {
  return {
    plannedAt: iso(startsAtMs),
    startsAt: iso(startsAtMs),
    endsAt: iso(endsAtMs),
    isDeleted: false,
    updates: [],
    updated_at: updated_at ?? created_at,
  };
}

/** An occurrence with its window, at a moment (epoch milliseconds). */
export interface MaintenanceOf {
  maintenance: MaintenanceChange;
  window: MaintenanceWindow;
  nowMs: number;
}

/** An update with the occurrence that it is about. */
export interface UpdateOf extends Omit<MaintenanceOf, 'nowMs'> {
  update: MaintenanceUpdate;
}

/** The status of an occurrence at its moment. */
export function statusOf({ maintenance, window, nowMs }: MaintenanceOf): MaintenanceStatus {
  const { enabled, autoStart, autoEnd } = window.statusPageVisibility;
  const facts = {
    ...changedTimes(maintenance, window),
    said: maintenance.updates.at(-1)?.status,
    // One that status pages do not show starts and ends by itself.
    autoStart: autoStart || !enabled,
    autoEnd: autoEnd || !enabled,
  };
  return statusAt(facts, nowMs);
}

/** An occurrence as the API answers it; its updates in the order they were made. */
export function viewMaintenance(of: MaintenanceOf): z.output<typeof maintenanceView> {
  const { maintenance, window } = of;
  const { startsAt, endsAt, updates, updated_at } = maintenance;
  return {
    ...idsOf(maintenance, window),
    startsAt,
    endsAt,
    status: statusOf(of),
    created_at: window.created_at,
    updated_at,
    updates: updates.map((update) => viewUpdate({ update, maintenance, window })),
  };
}

/** An update as the API answers it. */
export function viewUpdate({ update, maintenance, window }: UpdateOf): z.output<typeof updateView> {
  const { id: owner, maintenanceWindowId } = idsOf(maintenance, window);
  return { ...update, maintenanceWindowId, maintenanceId: owner };
}

function idsOf({ plannedAt }: MaintenanceChange, { id }: MaintenanceWindow) {
  return { id: maintenanceId(id, Date.parse(plannedAt)), maintenanceWindowId: Number(id) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

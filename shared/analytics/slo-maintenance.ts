import type { TimeRange } from '#shared/api/time-range.ts';
import type { Check } from '#shared/checks/check.ts';
import { changedTimes } from '#shared/maintenance/changed-state.ts';
import { HAS_BEGUN } from '#shared/maintenance/maintenance.ts';
import { maintenancesWithin, statusOf } from '#shared/maintenance/occurrences.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';

/** A window that status pages show, with the times in which it was open. */
export interface PublishedWindow {
  window: MaintenanceWindow;
  spans: readonly TimeRange[];
}

/**
 * The published windows that were open within a time, epoch ms. Occurrences that were cancelled, or
 * have not begun, are left out.
 */
export function publishedWindows(
  windows: readonly MaintenanceWindow[],
  { from, to }: TimeRange,
  nowMs: number,
): PublishedWindow[] {
  return windows
    .filter(({ statusPageVisibility }) => statusPageVisibility.enabled)
    .map((window) => ({
      window,
      spans: maintenancesWithin(window, { fromMs: from, toMs: to })
        .filter((maintenance) => HAS_BEGUN[statusOf({ maintenance, window, nowMs })])
        .map((maintenance) => changedTimes(maintenance, window))
        .map(({ startsAtMs, endsAtMs }) => ({ from: startsAtMs, to: endsAtMs })),
    }))
    .filter(({ spans }) => spans.length > 0);
}

/**
 * The times of published maintenance of a check, in their order and apart from each other.
 * @param tags those of its group too
 */
export function plannedTimes(
  check: Pick<Check, 'triggerIncident'>,
  tags: readonly string[],
  published: readonly PublishedWindow[],
): TimeRange[] {
  const own = published.filter(({ window }) => isAbout(window, check, tags));
  return united(own.flatMap(({ spans }) => spans));
}

/** Whether a window pauses or silences a check, or affects the service that its incidents are of. */
function isAbout(
  window: MaintenanceWindow,
  { triggerIncident }: Pick<Check, 'triggerIncident'>,
  tags: readonly string[],
): boolean {
  const { affectAllServices, serviceIds } = window.statusPageVisibility;
  const { pauseAllChecks, silenceAllAlerts } = window;
  if (pauseAllChecks || silenceAllAlerts) return true;
  if ([...window.tags, ...window.silenceAlertsTags].some((tag) => tags.includes(tag))) return true;
  return (
    triggerIncident !== null &&
    (affectAllServices || serviceIds.includes(triggerIncident.serviceId))
  );
}

/** Times that touch become one. */
export function united(times: readonly TimeRange[]): TimeRange[] {
  const merged: TimeRange[] = [];
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** How much of a range lies within times that are apart from each other, milliseconds. */
export function overlapMs({ from, to }: TimeRange, times: readonly TimeRange[]): number {
  const parts = times.map((one) => Math.min(one.to, to) - Math.max(one.from, from));
  return parts.reduce((sum, part) => sum + Math.max(0, part), 0);
}

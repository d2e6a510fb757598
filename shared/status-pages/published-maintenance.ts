import { changedTimes } from '#shared/maintenance/changed-state.ts';
import { DAY_MS } from '#shared/maintenance/local-time.ts';
import {
  HAS_BEGUN,
  type MaintenanceChange,
  type MaintenanceStatus,
} from '#shared/maintenance/maintenance.ts';
import { maintenanceId } from '#shared/maintenance/maintenance-id.ts';
import { maintenancesWithin, statusOf } from '#shared/maintenance/occurrences.ts';
import type { StatusPageVisibility } from '#shared/maintenance/visibility.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';
import type { StatusPage } from './status-page.ts';

/** An occurrence of a maintenance window as readers of a status page may see it. Times are epoch ms. */
export interface PublishedOccurrence {
  /** As the API knows the occurrence. */
  id: string;
  windowId: string;
  name: string;
  description: string | null;
  severity: StatusPageVisibility['severity'];
  startsAt: number;
  endsAt: number;
  /** At the moment that was asked about. */
  status: MaintenanceStatus;
  /** In the order they were made. */
  updates: { id: string; status: MaintenanceStatus; description: string; publishedAt: number }[];
  /** Services of the page, in its order; none where the window does not show its services. */
  serviceIds: string[];
}

type Page = Pick<StatusPage, 'id' | 'cards'>;

interface Span {
  fromMs: number;
  /** Itself not part of it. */
  toMs: number;
  /** The moment that statuses are of. */
  nowMs: number;
}

/**
 * What a page shows of maintenance: every occurrence within a span, in whole or in part, cancelled ones too, in
 * the order of their starts. Times are epoch ms.
 */
export function publishedOccurrences(
  windows: readonly MaintenanceWindow[],
  page: Page,
  { fromMs, toMs, nowMs }: Span,
): PublishedOccurrence[] {
  return windows
    .filter((window) => showsOn(window, page))
    .flatMap((window) =>
      maintenancesWithin(window, { fromMs, toMs }).map((maintenance) =>
        publish(window, maintenance, { page, nowMs }),
      ),
    )
    .toSorted((a, b) => a.startsAt - b.startsAt || Number(a.windowId) - Number(b.windowId));
}

/**
 * Whether a page shows a window: the pages that it names do, or else every page with one of its
 * services. Without `enabled` none does.
 */
export function showsOn({ statusPageVisibility }: MaintenanceWindow, page: Page): boolean {
  const { enabled, statusPageIds, affectAllServices } = statusPageVisibility;
  if (!enabled) return false;
  if (statusPageIds.length > 0) return statusPageIds.includes(page.id);
  return affectAllServices || affectedOn(page, statusPageVisibility).length > 0;
}

/**
 * The times during which maintenance of a service was published, for what its outages do not count
 * in. Those that were cancelled, or have not begun, are left out.
 */
export function maintenanceSpansOf(
  serviceId: string,
  occurrences: readonly PublishedOccurrence[],
): { startedAt: number; endedAt: number }[] {
  return occurrences
    .filter(({ status, serviceIds }) => HAS_BEGUN[status] && serviceIds.includes(serviceId))
    .map(({ startsAt, endsAt }) => ({ startedAt: startsAt, endedAt: endsAt }));
}

/** Whether maintenance that is running keeps automation from opening incidents of a service. */
export function suppressesIncidents(
  windows: readonly MaintenanceWindow[],
  serviceId: string,
  nowMs: number,
): boolean {
  return windows.some((window) => {
    const { enabled, suppressAutoIncidents, ...visibility } = window.statusPageVisibility;
    if (!enabled || !suppressAutoIncidents || !affects(visibility, serviceId)) return false;
    // Computing a week of each window would hold up the actors where a thousand checks fail at once.
    const fromMs = visibility.autoEnd ? nowMs : nowMs - OVERRUN_MS;
    return maintenancesWithin(window, { fromMs, toMs: nowMs + 1 }).some(
      (maintenance) => IS_RUNNING[statusOf({ maintenance, window, nowMs })],
    );
  });
}

const IS_RUNNING = {
  SCHEDULED: false,
  IN_PROGRESS: true,
  VERIFYING: true,
  COMPLETED: false,
  CANCELLED: false,
} satisfies Record<MaintenanceStatus, boolean>;

/** How long one that only people may end goes on after its end. */
const OVERRUN_MS = 7 * DAY_MS;

function publish(
  window: MaintenanceWindow,
  maintenance: MaintenanceChange,
  { page, nowMs }: { page: Page; nowMs: number },
): PublishedOccurrence {
  const { id: windowId, name, description, statusPageVisibility } = window;
  const { severity, showAffectedServices } = statusPageVisibility;
  const { startsAtMs, endsAtMs } = changedTimes(maintenance, window);
  return {
    id: maintenanceId(windowId, Date.parse(maintenance.plannedAt)),
    windowId,
    name,
    description,
    severity,
    startsAt: startsAtMs,
    endsAt: endsAtMs,
    status: statusOf({ maintenance, window, nowMs }),
    updates: maintenance.updates.map(({ id, status, description: text, created_at }) => ({
      id,
      status,
      description: text,
      publishedAt: Date.parse(created_at),
    })),
    serviceIds: showAffectedServices ? affectedOn(page, statusPageVisibility) : [],
  };
}

type Aim = Pick<StatusPageVisibility, 'affectAllServices' | 'serviceIds'>;

function affects({ affectAllServices, serviceIds }: Aim, serviceId: string): boolean {
  return affectAllServices || serviceIds.includes(serviceId);
}

/** The services of a page that a window affects, each once. */
function affectedOn({ cards }: Page, aim: Aim): string[] {
  const shown = new Set(cards.flatMap((card) => card.serviceIds));
  return [...shown].filter((id) => affects(aim, id));
}

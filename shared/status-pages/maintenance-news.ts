import { changedTimes } from '#shared/maintenance/changed-state.ts';
import { DAY_MS } from '#shared/maintenance/local-time.ts';
import type {
  MaintenanceChange,
  MaintenanceStatus,
  MaintenanceUpdate,
} from '#shared/maintenance/maintenance.ts';
import { maintenanceId } from '#shared/maintenance/maintenance-id.ts';
import { maintenancesWithin } from '#shared/maintenance/occurrences.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';
import type { MailingContent } from './mailing.ts';

const MINUTE_MS = 60_000;
/** News that nobody could be mailed for this long, as the appliance was off, is none. */
const LATEST_MS = 60 * MINUTE_MS;
/** The earliest reminder, and for how long after its end people complete an occurrence. */
const REACH_MS = 7 * DAY_MS;

type News = Extract<MailingContent, { kind: 'maintenance' }>;

/** Something that subscribers are mailed of a window. */
export interface MaintenanceNews {
  window: MaintenanceWindow;
  /** The same whenever it is asked for: what has one is mailed once. */
  key: string;
  /** Epoch ms. */
  at: number;
  /** Without services. */
  content: Omit<News, 'services'>;
}

/**
 * What subscribers are to be mailed now of windows that status pages show, the oldest first, and when there is
 * something next, where that is within a week. Times are epoch ms.
 */
export function planNews(
  windows: readonly MaintenanceWindow[],
  now: number,
): { due: MaintenanceNews[]; nextAt: number | null } {
  const all = windows
    .filter(({ statusPageVisibility }) => statusPageVisibility.enabled)
    .flatMap((window) => newsOf(window, now))
    .toSorted((a, b) => a.at - b.at);
  return {
    due: all.filter((news) => isDue(news, now)),
    nextAt: all.find(({ at }) => at > now)?.at ?? null,
  };
}

/** Of what was before a window became what it is, nobody is mailed. */
function isDue({ window, at, content }: MaintenanceNews, now: number): boolean {
  const changedAt = Date.parse(window.updated_at ?? window.created_at);
  if (at > now || at <= now - LATEST_MS || at < changedAt) return false;
  return content.occasion !== 'reminder' || content.startsAt > now;
}

function newsOf(window: MaintenanceWindow, now: number): MaintenanceNews[] {
  const span = { fromMs: now - REACH_MS, toMs: now + REACH_MS + DAY_MS };
  return maintenancesWithin(window, span).flatMap((maintenance) =>
    momentsOf(maintenance, window).map((moment) => describe(moment, maintenance, window)),
  );
}

interface Moment {
  occasion: News['occasion'];
  /** Beside the occurrence, what the news is known by. */
  name: string;
  at: number;
  status: MaintenanceStatus;
  description?: string;
}

function momentsOf(maintenance: MaintenanceChange, window: MaintenanceWindow): Moment[] {
  const { updates } = maintenance;
  const { notifyOnStart, notifyOnEnd } = window.statusPageVisibility;
  const told = updates.filter(({ notifySubscribers }) => notifySubscribers).map(updateMoment);
  if (updates.at(-1)?.status === 'CANCELLED') return told;
  return [
    ...told,
    ...reminders(maintenance, window),
    ...(notifyOnStart ? beginning(maintenance, window) : []),
    ...(notifyOnEnd ? ending(maintenance, window) : []),
  ];
}

function updateMoment({ id, status, description, created_at }: MaintenanceUpdate): Moment {
  const at = Date.parse(created_at);
  return { occasion: 'update', name: `update ${id}`, at, status, description };
}

/** None of one that people have begun. One that is moved has them again. */
function reminders(maintenance: MaintenanceChange, window: MaintenanceWindow): Moment[] {
  if (maintenance.updates.some(({ status }) => status !== 'SCHEDULED')) return [];
  const { startsAtMs } = changedTimes(maintenance, window);
  return window.statusPageVisibility.reminderMinutesBefore.map((minutes) => ({
    occasion: 'reminder',
    name: `reminder ${minutes} ${startsAtMs}`,
    at: startsAtMs - minutes * MINUTE_MS,
    status: 'SCHEDULED',
  }));
}

/** By itself, or when people said so: none where that was mailed. */
function beginning(maintenance: MaintenanceChange, window: MaintenanceWindow): Moment[] {
  const { autoStart } = window.statusPageVisibility;
  const said = maintenance.updates.find(({ status }) => status !== 'SCHEDULED');
  const isTold = said?.status === 'IN_PROGRESS' && said.notifySubscribers;
  if (isTold || (!said && !autoStart)) return [];
  const { startsAtMs } = changedTimes(maintenance, window);
  const at = said && !autoStart ? Date.parse(said.created_at) : startsAtMs;
  return [{ occasion: 'start', name: 'start', at, status: 'IN_PROGRESS' }];
}

/** As {@link beginning}; what never began does not end. */
function ending(maintenance: MaintenanceChange, window: MaintenanceWindow): Moment[] {
  const { autoStart, autoEnd } = window.statusPageVisibility;
  const hasBegun = autoStart || maintenance.updates.some(({ status }) => status !== 'SCHEDULED');
  const said = maintenance.updates.find(({ status }) => status === 'COMPLETED');
  if (!hasBegun || said?.notifySubscribers || (!said && !autoEnd)) return [];
  const { endsAtMs } = changedTimes(maintenance, window);
  const at = said && !autoEnd ? Date.parse(said.created_at) : endsAtMs;
  return [{ occasion: 'end', name: 'end', at, status: 'COMPLETED' }];
}

function describe(
  { occasion, name, at, status, description }: Moment,
  maintenance: MaintenanceChange,
  window: MaintenanceWindow,
): MaintenanceNews {
  const id = maintenanceId(window.id, Date.parse(maintenance.plannedAt));
  const { startsAtMs: startsAt, endsAtMs: endsAt } = changedTimes(maintenance, window);
  const content = {
    kind: 'maintenance' as const,
    maintenanceId: id,
    occasion,
    status,
    name: window.name,
    description: description ?? window.description ?? '',
    startsAt,
    endsAt,
  };
  return { window, key: `maintenance ${id} ${name}`, at, content };
}

import type { IncidentSeverity, IncidentStatus } from '#shared/incidents/incident.ts';
import type { MaintenanceStatus } from '#shared/maintenance/maintenance.ts';

/** How a service, a card or a page is, as readers see it; the later ones are worse. */
export const PUBLIC_STATES = ['works', 'maintenance', 'degraded', 'partly-down', 'down'] as const;
export type PublicState = (typeof PUBLIC_STATES)[number];

/** What a status page shows at one moment. Times are epoch ms. */
export interface PublicPage {
  state: PublicState;
  /** One sentence without its full stop: "Checkout is partly down". */
  headline: string;
  /** What is to be said of the others; null: nothing. */
  detail: string | null;
  /** Those with services only. */
  cards: PublicCard[];
  /** The first of the 90 days of each service, at 00:00 UTC. */
  firstDay: number;
  /** The worst first, then the newest; only those of {@link MAX_OPEN_INCIDENTS} have their updates. */
  open: PublicIncident[];
  /** Ended in the last days, newest start first. */
  recent: PublicIncident[];
  /** Months (`2026-01`) of the last year in which incidents began, newest first. */
  months: string[];
  running: PublicMaintenance[];
  /** By their starts. */
  announced: PublicMaintenance[];
  updatedAt: number;
  /** When it is to be made again though nothing was changed. */
  validUntil: number;
}

export interface PublicCard {
  id: string;
  name: string;
  /** Per cent of 90 days, rounded down to two decimals: the mean of its services. */
  uptime: number;
  services: PublicService[];
}

export interface PublicService {
  id: string;
  name: string;
  state: PublicState;
  uptime: number;
  /** Days, from the first one, on which the service was not there yet. */
  emptyDays: number;
  /** Those that were not as they should be, oldest first. */
  days: ExceptionalDay[];
}

export interface ExceptionalDay {
  /** From 0, the first one, to 89, today. */
  day: number;
  state: PublicState;
  /** Whole minutes, rounded up, without those within published maintenance. */
  minutesDown: number;
  /** Names of its incidents, else of its maintenance. */
  names: string[];
}

export interface PublicIncident {
  id: string;
  name: string;
  severity: IncidentSeverity;
  /** What its severity says of its services. */
  state: PublicState;
  status: IncidentStatus;
  /** Those that the page shows. */
  services: Named[];
  startedAt: number;
  /** Null while it is open. */
  endedAt: number | null;
  /** Those whose public date has come, newest first; none where only its head is at hand. */
  updates: PublicUpdate<IncidentStatus>[];
}

export interface PublicMaintenance {
  id: string;
  name: string;
  /** Markdown. */
  description: string | null;
  status: MaintenanceStatus;
  services: Named[];
  startsAt: number;
  endsAt: number;
  /** Newest first. */
  updates: PublicUpdate<MaintenanceStatus>[];
}

export interface Named {
  id: string;
  name: string;
}

export interface PublicUpdate<Status> {
  id: string;
  status: Status;
  /** Markdown. */
  description: string;
  publishedAt: number;
}

/** Open incidents that a page shows with their updates. */
export const MAX_OPEN_INCIDENTS = 20;

import { DAY_MS } from '#shared/maintenance/local-time.ts';
import type {
  PublicIncident,
  PublicMaintenance,
  PublicPage,
  PublicService,
  PublicUpdate,
} from '#shared/status-pages/public-page.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { documentAddress, type PageAddresses } from './page-addresses.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** What a page shows, as JSON for machines: moments are ISO 8601 in UTC, percentages numbers. */
export function statusJson(page: StatusPage, shown: PublicPage, at: PageAddresses): string {
  const { state, headline, detail, cards, firstDay, open, recent, running, announced } = shown;
  return JSON.stringify({
    page: { id: page.id, name: page.name, url: at.home },
    updatedAt: iso(shown.updatedAt),
    state,
    headline,
    detail,
    cards: cards.map(({ services, ...card }) => ({
      ...card,
      services: services.map((service) => serviceOf(service, firstDay)),
    })),
    incidents: open.map((incident) => incidentOf(incident, at)),
    recentIncidents: recent.map((incident) => incidentOf(incident, at)),
    maintenance: {
      running: running.map((one) => maintenanceOf(one, at)),
      announced: announced.map((one) => maintenanceOf(one, at)),
    },
  });
}

function serviceOf({ id, name, state, uptime, emptyDays, days }: PublicService, firstDay: number) {
  const date = (day: number) => iso(firstDay + day * DAY_MS).slice(0, 10);
  return {
    id,
    name,
    state,
    uptime,
    since: date(emptyDays),
    days: days.map(({ day, ...told }) => ({ date: date(day), ...told })),
  };
}

function incidentOf(incident: PublicIncident, at: PageAddresses) {
  const { id, name, severity, state, status, services, startedAt, endedAt, updates } = incident;
  return {
    id,
    url: documentAddress(at, `incidents/${id}`),
    name,
    severity,
    state,
    status,
    services,
    startedAt: iso(startedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
    updates: updates.map(updateOf),
  };
}

function maintenanceOf(maintenance: PublicMaintenance, at: PageAddresses) {
  const { id, name, description, status, services, startsAt, endsAt, updates } = maintenance;
  return {
    id,
    url: documentAddress(at, `maintenances/${id}`),
    name,
    description,
    status,
    services,
    startsAt: iso(startsAt),
    endsAt: iso(endsAt),
    updates: updates.map(updateOf),
  };
}

function updateOf<S>({ id, status, description, publishedAt }: PublicUpdate<S>) {
  return { id, status, description, publishedAt: iso(publishedAt) };
}

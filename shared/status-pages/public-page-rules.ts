import type { IncidentHead, IncidentSeverity, StoredIncident } from '#shared/incidents/incident.ts';
import { byPublicDate, headOf } from '#shared/incidents/incident-rules.ts';
import { DAY_MS } from '#shared/maintenance/local-time.ts';
import type { MaintenanceStatus } from '#shared/maintenance/maintenance.ts';
import { headlineOf } from './headline.ts';
import type { PageService } from './page-service.ts';
import {
  type Named,
  PUBLIC_STATES,
  type PublicCard,
  type PublicIncident,
  type PublicMaintenance,
  type PublicPage,
  type PublicService,
  type PublicState,
} from './public-page.ts';
import { maintenanceSpansOf, type PublishedOccurrence } from './published-maintenance.ts';
import type { StatusPage } from './status-page.ts';
import {
  exceptionalDays,
  firstDayOf,
  meanUptime,
  SHOWN_DAYS,
  type Trouble,
  uptimeOf,
  worstState,
} from './uptime.ts';

const MINUTE_MS = 60_000;
const RECENT_MS = 7 * DAY_MS;
const MAX_RECENT = 20;

/** How long before its start maintenance is announced. */
export const ANNOUNCED_MS = 14 * DAY_MS;
const MAX_ANNOUNCED = 10;

/** What a page is made of. Times are epoch ms. */
export interface PageMaterial {
  page: Pick<StatusPage, 'id' | 'cards'>;
  services: ReadonlyMap<string, Pick<PageService, 'id' | 'name' | 'created_at'>>;
  /** Of the last year and of the coming day, newest start first; of any page. */
  heads: readonly IncidentHead[];
  /** Those that are open, whole. */
  incidents: readonly StoredIncident[];
  /** Of the page: of 90 days, and announced ones. */
  occurrences: readonly PublishedOccurrence[];
  now: number;
}

/** What the severity of an incident says of its services. */
export const STATE_OF_SEVERITY = {
  CRITICAL: 'down',
  MAJOR: 'partly-down',
  MEDIUM: 'degraded',
  MINOR: 'degraded',
} as const satisfies Record<IncidentSeverity, PublicState>;

/** What a page shows at a moment: every number, sentence and order of it. */
export function publicPage(material: PageMaterial): PublicPage {
  const steps = pageSteps(material);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same, in steps of one service each: a page of hundreds is made with rests in between. */
export function* pageSteps(material: PageMaterial): Generator<void, PublicPage> {
  const { now, occurrences } = material;
  const shown = servicesOf(material);
  const heads = headsOn(material.heads, shown);
  const cards = yield* cardsOf(material, heads);
  const open = openHeads(heads, now);
  const whole = new Map(material.incidents.map((incident) => [incident.id, incident]));
  const view = (head: IncidentHead) => publicIncident(whole.get(head.id) ?? head, shown, now);
  const services = new Map(
    cards.flatMap((card) => card.services).map((service) => [service.id, service]),
  );
  return {
    ...headlineOf([...services.values()]),
    cards,
    firstDay: firstDayOf(now),
    open: open.map(view),
    recent: heads
      .filter((head) => !isOpen(head, now) && (head.endedAt ?? 0) >= now - RECENT_MS)
      .filter((head) => head.startedAt <= now)
      .slice(0, MAX_RECENT)
      .map(view),
    months: [
      ...new Set(
        heads.filter(({ startedAt }) => startedAt <= now).map((head) => monthOf(head.startedAt)),
      ),
    ],
    ...maintenanceNow(occurrences, shown, now),
    updatedAt: now,
    validUntil: validUntil(material, heads, open.length > 0),
  };
}

/** Of a page's occurrences those that run and those that are to come, by their starts. */
export function maintenanceNow(
  occurrences: readonly PublishedOccurrence[],
  shown: Shown,
  now: number,
): Pick<PublicPage, 'running' | 'announced'> {
  const maintenance = occurrences.map((occurrence) => publicMaintenance(occurrence, shown));
  return {
    running: maintenance.filter(({ status }) => PHASES[status] === 'running'),
    announced: maintenance
      .filter(({ status, startsAt }) => PHASES[status] === 'planned' && startsAt > now - DAY_MS)
      .slice(0, MAX_ANNOUNCED),
  };
}

const PHASES = {
  SCHEDULED: 'planned',
  IN_PROGRESS: 'running',
  VERIFYING: 'running',
  COMPLETED: 'over',
  CANCELLED: 'over',
} as const satisfies Record<MaintenanceStatus, string>;

type Shown = ReadonlyMap<string, Named>;

/** The services of a page by their ids, each once, in its order. */
export function servicesOf({ page, services }: Pick<PageMaterial, 'page' | 'services'>): Shown {
  const ids = page.cards.flatMap((card) => card.serviceIds);
  return new Map(
    ids.flatMap((id) => {
      const service = services.get(id);
      return service === undefined ? [] : [[id, { id, name: service.name }]];
    }),
  );
}

/** The incidents that concern a service of a page. */
export function headsOn(heads: readonly IncidentHead[], shown: Shown): IncidentHead[] {
  return heads.filter(({ serviceIds }) => serviceIds.some((id) => shown.has(id)));
}

/** By public dates, which may lie ahead. */
export function isOpen({ startedAt, endedAt }: IncidentHead, now: number): boolean {
  return startedAt <= now && (endedAt === null || endedAt > now);
}

/** Those that are open, the worst first, then the newest. @param heads newest start first */
export function openHeads(heads: readonly IncidentHead[], now: number): IncidentHead[] {
  const rank = ({ severity }: IncidentHead) => PUBLIC_STATES.indexOf(STATE_OF_SEVERITY[severity]);
  return heads.filter((head) => isOpen(head, now)).toSorted((a, b) => rank(b) - rank(a));
}

function* cardsOf(
  material: PageMaterial,
  heads: readonly IncidentHead[],
): Generator<void, PublicCard[]> {
  const made = new Map<string, PublicService>();
  const byService = headsByService(heads);
  for (const id of servicesOf(material).keys()) {
    const service = material.services.get(id);
    if (service === undefined) continue;
    made.set(id, publicService(service, byService.get(id) ?? [], material));
    yield;
  }
  return material.page.cards
    .map(({ id, name, serviceIds }) => ({
      id,
      name,
      services: serviceIds.flatMap((serviceId) => made.get(serviceId) ?? []),
    }))
    .filter(({ services }) => services.length > 0)
    .map((card) => ({ ...card, uptime: meanUptime(card.services.map(({ uptime }) => uptime)) }));
}

function headsByService(heads: readonly IncidentHead[]): Map<string, IncidentHead[]> {
  const byService = new Map<string, IncidentHead[]>();
  for (const head of heads) {
    for (const id of head.serviceIds) {
      const known = byService.get(id);
      if (known === undefined) byService.set(id, [head]);
      else known.push(head);
    }
  }
  return byService;
}

function publicService(
  { id, name, created_at }: Pick<PageService, 'id' | 'name' | 'created_at'>,
  heads: readonly IncidentHead[],
  { occurrences, now }: PageMaterial,
): PublicService {
  const trouble = heads
    .filter(({ startedAt }) => startedAt <= now)
    .map((head) => troubleOf(head, now));
  const mine = occurrences.filter(({ serviceIds }) => serviceIds.includes(id));
  const planned = mine.flatMap((occurrence) =>
    maintenanceSpansOf(id, [occurrence]).map((span) => ({ ...span, name: occurrence.name })),
  );
  const isRunning = mine.some(({ status }) => PHASES[status] === 'running');
  const open = heads.filter((head) => isOpen(head, now));
  const empty = Math.floor((Date.parse(created_at) - firstDayOf(now)) / DAY_MS);
  return {
    id,
    name,
    state: worstState([
      ...(isRunning ? (['maintenance'] as const) : []),
      ...open.map(({ severity }) => STATE_OF_SEVERITY[severity]),
    ]),
    uptime: uptimeOf(trouble, planned, now),
    emptyDays: Math.min(Math.max(empty, 0), SHOWN_DAYS - 1),
    days: exceptionalDays(trouble, planned, now),
  };
}

function troubleOf({ startedAt, endedAt, severity, name }: IncidentHead, now: number): Trouble {
  return {
    startedAt,
    endedAt: Math.min(endedAt ?? now, now),
    state: STATE_OF_SEVERITY[severity],
    name,
  };
}

/** An incident as readers of a page see it at a moment; a head has no updates. */
export function publicIncident(
  incident: StoredIncident | IncidentHead,
  shown: Shown,
  now: number,
): PublicIncident {
  const isWhole = 'updates' in incident;
  const head = isWhole ? headOf(incident) : incident;
  const { id, name, severity, serviceIds, startedAt, endedAt } = head;
  const updates = isWhole
    ? byPublicDate(incident.updates)
        .filter(({ publishedAt }) => publishedAt <= now)
        .toReversed()
    : [];
  return {
    id,
    name,
    severity,
    state: STATE_OF_SEVERITY[severity],
    status: updates[0]?.status ?? head.status,
    services: namesOf(serviceIds, shown),
    startedAt,
    endedAt: endedAt !== null && endedAt > now ? null : endedAt,
    updates: updates.map(({ id: updateId, status, description, publishedAt }) => ({
      id: updateId,
      status,
      description,
      publishedAt,
    })),
  };
}

/** Maintenance as readers of a page see it. */
export function publicMaintenance(
  occurrence: PublishedOccurrence,
  shown: Shown,
): PublicMaintenance {
  const { id, name, description, status, startsAt, endsAt, serviceIds, updates } = occurrence;
  return {
    id,
    name,
    description,
    status,
    services: namesOf(serviceIds, shown),
    startsAt,
    endsAt,
    updates: updates.toReversed(),
  };
}

function namesOf(ids: readonly string[], shown: Shown): Named[] {
  return ids.flatMap((id) => shown.get(id) ?? []);
}

/** `2026-01` of a moment (epoch ms), in UTC. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/**
 * Until when a page stays as it is while nobody changes anything: the next day, date or change of maintenance;
 * a minute while an incident is open, which says how long it has been.
 */
export function validUntil(
  { occurrences, incidents, now }: Pick<PageMaterial, 'occurrences' | 'incidents' | 'now'>,
  heads: readonly IncidentHead[],
  hasOpen: boolean,
): number {
  const moments = [
    (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    ...occurrences.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]),
    ...heads.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? 0]),
    ...incidents.flatMap(({ updates }) => updates.map(({ publishedAt }) => publishedAt)),
    ...(hasOpen ? [now + MINUTE_MS] : []),
  ];
  return moments.filter((moment) => moment > now).reduce((a, b) => Math.min(a, b));
}

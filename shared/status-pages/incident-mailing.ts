import type { StoredIncident, StoredIncidentUpdate } from '#shared/incidents/incident.ts';
import { byPublicDate } from '#shared/incidents/incident-rules.ts';
import type { StoredMailing } from './mailing.ts';
import type { StatusPage } from './status-page.ts';

/** The pages that show one of these services. */
export function pagesShowing<T extends Pick<StatusPage, 'cards'>>(
  serviceIds: Iterable<string>,
  pages: readonly T[],
): T[] {
  const wanted = new Set(serviceIds);
  return pages.filter(({ cards }) =>
    cards.some((card) => card.serviceIds.some((id) => wanted.has(id))),
  );
}

/** A mailing that nobody has yet. @param stamp a UUIDv7 and its time, epoch ms */
export function newMailing(
  stamp: { id: string; at: number },
  parts: Pick<StoredMailing, 'key' | 'pageIds' | 'content'>,
): StoredMailing {
  const { id, at } = stamp;
  const progress = { after: null, isAtEnd: false, deferred: [], sent: 0, failed: 0 };
  return { id, ...parts, status: 'PENDING', ...progress, dueAt: at, createdAt: at };
}

/**
 * What subscribers are mailed of an update that was just posted: null where it is not for them, or where no
 * page shows a service of its incident. Each update has one key, so it is mailed once.
 */
export function incidentMailing(
  incident: StoredIncident,
  update: StoredIncidentUpdate,
  pages: readonly StatusPage[],
  stamp: { id: string; at: number },
): StoredMailing | null {
  const { id: incidentId, name, severity, services } = incident;
  const showing = pagesShowing(
    services.map(({ id }) => id),
    pages,
  );
  if (!update.notifySubscribers || showing.length === 0) return null;
  const { id: updateId, status, description, publishedAt } = update;
  return newMailing(stamp, {
    key: `incident update ${updateId}`,
    pageIds: showing.map(({ id }) => id),
    content: {
      kind: 'incident',
      incidentId,
      updateId,
      name,
      severity,
      status,
      isFirst: byPublicDate(incident.updates)[0]?.id === updateId,
      description,
      publishedAt,
      services: services.map(({ id, name: label }) => ({ id, name: label })),
    },
  });
}

import type {
  IncidentHead,
  IncidentStatus,
  StoredIncident,
  StoredIncidentUpdate,
} from './incident.ts';

type Updates = readonly StoredIncidentUpdate[];

/** By their public dates, oldest first; of one moment in the order they were made. */
export function byPublicDate(updates: Updates): StoredIncidentUpdate[] {
  return updates.toSorted((a, b) => a.publishedAt - b.publishedAt);
}

/** `lastUpdateStatus`: that of the update with the newest public date. */
export function statusOfIncident({ updates }: Pick<StoredIncident, 'updates'>): IncidentStatus {
  return byPublicDate(updates).at(-1)?.status ?? 'INVESTIGATING';
}

/**
 * From the first update to the RESOLVED one that closed it, epoch ms. A second RESOLVED update changes
 * nothing; one after a re-opening does. `endedAt` is null while it is open.
 */
export function spanOfIncident({ updates }: Pick<StoredIncident, 'updates'>): {
  startedAt: number;
  endedAt: number | null;
} {
  const ordered = byPublicDate(updates);
  const startedAt = ordered[0]?.publishedAt ?? 0;
  const lastOpen = ordered.findLastIndex(({ status }) => status !== 'RESOLVED');
  return { startedAt, endedAt: ordered[lastOpen + 1]?.publishedAt ?? null };
}

/** `duration` in whole seconds, until `now` (epoch ms) while it is open. */
export function durationOfIncident(incident: Pick<StoredIncident, 'updates'>, now: number): number {
  const { startedAt, endedAt } = spanOfIncident(incident);
  return Math.max(0, Math.round(((endedAt ?? now) - startedAt) / 1_000));
}

export function headOf(incident: StoredIncident): IncidentHead {
  const { id, name, severity, services } = incident;
  return {
    id,
    name,
    severity,
    serviceIds: services.map((service) => service.id),
    status: statusOfIncident(incident),
    ...spanOfIncident(incident),
  };
}

import { randomUUID } from 'node:crypto';
import type { IncidentService, StoredIncident } from '#shared/incidents/incident.ts';
import type { IncidentBody, IncidentChanges } from '#shared/status-pages/incident-body.ts';
import { newIncidentUpdate, withoutTexts } from '#shared/status-pages/incident-changes.ts';
import type { IncidentParts, IncidentStore } from './incident-store.ts';
import { refusePublicDate } from './incident-updates.ts';
import { REFERENCES } from './references.ts';
import { type CursorPage, toCursorPage } from './resource.ts';
import { conflict, refuseProblems } from './service-error.ts';

/**
 * Most incidents that are open at a time, beside those of automation: a bound of ours. So people can say something
 * of an outage in which more checks have opened theirs.
 */
export const MAX_OPEN_INCIDENTS = 1_000;

/** Incidents that are read at once: parsing more would hold up the main thread. */
const READ_TOGETHER = 50;

/** What people read of trouble with services on status pages. */
export class Incidents {
  readonly #parts: IncidentParts;
  readonly #store: IncidentStore;

  constructor(parts: IncidentParts, store: IncidentStore) {
    this.#parts = parts;
    this.#store = store;
  }

  /** With its services as they are now. @throws ServiceError NOT_FOUND */
  find(id: string): Promise<StoredIncident> {
    return this.#store.find(id);
  }

  /** Newest first, as {@link find} answers them. */
  async page(query: {
    after?: string | undefined;
    limit: number;
  }): Promise<CursorPage<StoredIncident>> {
    const { after: before, limit } = query;
    const read = await this.#parts.history.listIncidents({ before, limit: limit + 1 });
    return toCursorPage(this.#store.newestOf(read), limit);
  }

  /** Those of these ids that there are, by id, as {@link find} answers them. */
  async some(ids: readonly string[]): Promise<Map<string, StoredIncident>> {
    const found = new Map<string, StoredIncident>();
    for (let first = 0; first < ids.length; first += READ_TOGETHER) {
      const some = ids.slice(first, first + READ_TOGETHER);
      const read = await this.#parts.history.findIncidents(some);
      for (const incident of this.#store.newestOf(read)) found.set(incident.id, incident);
    }
    return found;
  }

  /**
   * Opens an incident with its first update.
   *
   * @throws ServiceError INVALID where a service does not exist or the date is out of bounds, CONFLICT
   *   where there are too many open ones
   */
  create(body: IncidentBody): Promise<StoredIncident> {
    const { mutex, clock } = this.#parts;
    return mutex(REFERENCES, async () => {
      const { name, severity } = body;
      const services = this.#servicesOf(body.services, []);
      await this.#refuseTooMany();
      const now = clock.now();
      const [first] = body.incidentUpdates.map((update) => {
        refusePublicDate(update, now, 'incidentUpdates.0.');
        return newIncidentUpdate(update, [], { id: randomUUID(), now });
      });
      const { id, at } = this.#store.nextId();
      const incident: StoredIncident = {
        id,
        revision: 1,
        name,
        severity,
        services,
        updates: first === undefined ? [] : [first],
        automation: null,
        createdAt: at,
        updatedAt: null,
        isDeleted: false,
      };
      await this.#store.write({ incident, ...(first && { posted: first }) });
      return incident;
    });
  }

  /** Members left out stay as they were. @throws ServiceError NOT_FOUND; INVALID as {@link create} */
  change(id: string, body: IncidentChanges): Promise<StoredIncident> {
    return this.#store.change(id, (incident) => {
      const { name = incident.name, severity = incident.severity } = body;
      const services =
        body.services === undefined
          ? incident.services
          : this.#servicesOf(body.services, incident.services);
      return { incident: { ...incident, name, severity, services } };
    });
  }

  /** @throws ServiceError NOT_FOUND */
  async delete(id: string): Promise<void> {
    await this.#store.change(id, (incident) => ({ incident: withoutTexts(incident) }));
  }

  /** The services of these ids, each once. One that the incident has may be gone since. */
  #servicesOf(
    named: readonly { id: string }[],
    before: readonly IncidentService[],
  ): IncidentService[] {
    const { pageServices } = this.#parts.configuration;
    const known = new Map(before.map((service) => [service.id, service]));
    const found = named.map(({ id }) => pageServices.get(id) ?? known.get(id));
    const problems = named
      .map(({ id }, index) => ({
        path: `services.${index}.id`,
        message: `no status-page service ${id} exists`,
      }))
      .filter((_, index) => found[index] === undefined);
    refuseProblems({ source: 'payload', problems });
    const services = found.flatMap((service) => service ?? []);
    return [...new Map(services.map((service) => [service.id, asStored(service)])).values()];
  }

  async #refuseTooMany(): Promise<void> {
    const { history, clock, incidents } = this.#parts;
    const most = MAX_OPEN_INCIDENTS + incidents.size;
    // What ends later than now counts as well: public dates may lie a day ahead.
    const period = { from: clock.now(), to: Number.MAX_SAFE_INTEGER };
    const open = await history.listIncidentHeads({ ...period, limit: most });
    if (open.length < most) return;
    throw conflict(`There are ${open.length} open incidents already`);
  }
}

function asStored({ id, name, created_at, updated_at }: IncidentService): IncidentService {
  return { id, name, created_at, updated_at };
}

import { randomUUID } from 'node:crypto';
import type { AutomatedIncidents } from '#main/incidents/incident-port.ts';
import type { MailingPort } from '#main/incidents/mailing-port.ts';
import { IdSequence } from '#main/platform/id-sequence.ts';
import type { History, HistoryRecords } from '#main/store/history/history.ts';
import {
  type IncidentService,
  MAX_INCIDENT_UPDATES,
  type StoredIncident,
  type StoredIncidentUpdate,
} from '#shared/incidents/incident.ts';
import type {
  IncidentBody,
  IncidentChanges,
  IncidentUpdateBody,
} from '#shared/status-pages/incident-body.ts';
import {
  correctedUpdate,
  newIncidentUpdate,
  publicDateProblem,
  withoutTexts,
} from '#shared/status-pages/incident-changes.ts';
import { incidentMailing } from '#shared/status-pages/incident-mailing.ts';
import { REFERENCES } from './references.ts';
import { type CursorPage, type ServiceParts, toCursorPage } from './resource.ts';
import { conflict, notFound, refuseProblems } from './service-error.ts';

interface IncidentParts extends ServiceParts {
  history: Pick<
    History,
    'write' | 'findIncident' | 'findIncidents' | 'listIncidents' | 'listIncidentHeads'
  >;
  incidents: AutomatedIncidents;
  mailings: MailingPort;
}

/** Most incidents that are open at a time: a bound of ours. */
export const MAX_OPEN_INCIDENTS = 1_000;

/** Incidents that are read at once: parsing more would hold up the main thread. */
const READ_TOGETHER = 50;

/** What a change makes of an incident, and the update that is mailed to subscribers, if any. */
interface Changed {
  incident: StoredIncident;
  posted?: StoredIncidentUpdate;
}

/** What people read of trouble with services on status pages. */
export class Incidents {
  readonly #parts: IncidentParts;
  readonly #ids = new IdSequence();

  constructor(parts: IncidentParts) {
    this.#parts = parts;
  }

  /** With its services as they are now. @throws ServiceError NOT_FOUND */
  async find(id: string): Promise<StoredIncident> {
    return this.#living(await this.#newest(id));
  }

  /** Newest first, as {@link find} answers them. */
  async page(query: {
    after?: string | undefined;
    limit: number;
  }): Promise<CursorPage<StoredIncident>> {
    const { history, incidents } = this.#parts;
    const { after: before, limit } = query;
    const read = await history.listIncidents({ before, limit: limit + 1 });
    return toCursorPage(
      read.map((incident) => this.#living(incidents.find(incident.id) ?? incident)),
      limit,
    );
  }

  /** Those of these ids that there are, by id, as {@link find} answers them. */
  async some(ids: readonly string[]): Promise<Map<string, StoredIncident>> {
    const { history, incidents } = this.#parts;
    const found = new Map<string, StoredIncident>();
    for (let first = 0; first < ids.length; first += READ_TOGETHER) {
      for (const one of await history.findIncidents(ids.slice(first, first + READ_TOGETHER))) {
        found.set(one.id, this.#living(incidents.find(one.id) ?? one));
      }
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
        refuseDate(update, now, 'incidentUpdates.0.');
        return newIncidentUpdate(update, [], { id: randomUUID(), now });
      });
      const { id, at } = this.#ids.next(now);
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
      await this.#write({ incident, ...(first && { posted: first }) });
      return incident;
    });
  }

  /** Members left out stay as they were. @throws ServiceError NOT_FOUND; INVALID as {@link create} */
  change(id: string, body: IncidentChanges): Promise<StoredIncident> {
    return this.#change(id, (incident) => {
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
    await this.#change(id, (incident) => ({ incident: withoutTexts(incident) }));
  }

  /** @throws ServiceError NOT_FOUND for the incident or the update */
  async findUpdate(id: string, updateId: string): Promise<StoredIncidentUpdate> {
    return updateOf(await this.find(id), updateId);
  }

  /**
   * Automation leaves the incident alone from then on.
   *
   * @throws ServiceError NOT_FOUND, INVALID for a date out of bounds, CONFLICT for too many
   */
  async addUpdate(id: string, body: IncidentUpdateBody): Promise<StoredIncidentUpdate> {
    const updateId = randomUUID();
    const changed = await this.#change(id, (incident, now) => {
      const { updates } = incident;
      if (updates.length >= MAX_INCIDENT_UPDATES) {
        throw conflict(`The incident has ${updates.length} updates already`);
      }
      refuseDate(body, now);
      const posted = newIncidentUpdate(body, updates, { id: updateId, now });
      return { incident: byPerson(incident, [...updates, posted]), posted };
    });
    return updateOf(changed, updateId);
  }

  /** Corrects what was said; nobody is mailed. @throws ServiceError as {@link addUpdate} */
  async editUpdate(
    id: string,
    updateId: string,
    body: IncidentUpdateBody,
  ): Promise<StoredIncidentUpdate> {
    const changed = await this.#change(id, (incident, now) => {
      const before = updateOf(incident, updateId);
      refuseDate(body, now);
      const edited = correctedUpdate(before, body);
      const updates = incident.updates.map((one) => (one === before ? edited : one));
      return { incident: byPerson(incident, updates) };
    });
    return updateOf(changed, updateId);
  }

  /** @throws ServiceError NOT_FOUND, or CONFLICT for the only update: an incident has at least one */
  async deleteUpdate(id: string, updateId: string): Promise<void> {
    await this.#change(id, (incident) => {
      const gone = updateOf(incident, updateId);
      const updates = incident.updates.filter((one) => one !== gone);
      if (updates.length === 0) throw conflict('It is the only update of the incident');
      return { incident: byPerson(incident, updates) };
    });
  }

  /**
   * Nothing is awaited from the reading of an incident of automation until automation has the change: its
   * next result may change the incident.
   */
  #change(
    id: string,
    change: (incident: StoredIncident, now: number) => Changed,
  ): Promise<StoredIncident> {
    const { mutex, incidents, clock } = this.#parts;
    return mutex(`incident ${id}`, async () => {
      const before = incidents.find(id) ?? (await this.#newest(id));
      const now = clock.now();
      const changed = change(before, now);
      const incident = { ...changed.incident, revision: before.revision + 1, updatedAt: now };
      const takeBack = incidents.change(incident);
      try {
        await this.#write({ ...changed, incident });
      } catch (error) {
        takeBack();
        throw error;
      }
      return this.#living(incident);
    });
  }

  /** The newest version of an incident, written or not. @throws ServiceError NOT_FOUND */
  async #newest(id: string): Promise<StoredIncident> {
    const { history, incidents } = this.#parts;
    const incident = incidents.find(id) ?? (await history.findIncident(id));
    if (incident === null) throw notFound(`No incident has the id ${id}`);
    return incident;
  }

  /** A service that was deleted since is as it was then. */
  #living(incident: StoredIncident): StoredIncident {
    const { pageServices } = this.#parts.configuration;
    const services = incident.services.map((service) => pageServices.get(service.id) ?? service);
    return { ...incident, services };
  }

  /** Writes an incident, and the mailing of its new update in the same transaction. */
  async #write({ incident, posted }: Changed): Promise<void> {
    const { configuration, clock, history, mailings } = this.#parts;
    const pages = configuration.statusPages.all();
    const stamp = this.#ids.next(clock.now());
    const mailing = posted ? incidentMailing(incident, posted, pages, stamp) : null;
    const records: HistoryRecords = { incidents: [incident] };
    if (mailing === null) return history.write(records);
    await history.write({ ...records, mailings: [mailing] });
    mailings.enqueue([mailing]);
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
    const { history, clock } = this.#parts;
    // What ends later than now counts as well: public dates may lie a day ahead.
    const period = { from: clock.now(), to: Number.MAX_SAFE_INTEGER };
    const open = await history.listIncidentHeads({ ...period, limit: MAX_OPEN_INCIDENTS });
    if (open.length < MAX_OPEN_INCIDENTS) return;
    throw conflict(`There are ${open.length} open incidents already`);
  }
}

function byPerson(incident: StoredIncident, updates: StoredIncidentUpdate[]): StoredIncident {
  return { ...incident, updates, automation: null };
}

function asStored({ id, name, created_at, updated_at }: IncidentService): IncidentService {
  return { id, name, created_at, updated_at };
}

function updateOf({ id, updates }: StoredIncident, updateId: string): StoredIncidentUpdate {
  const update = updates.find((one) => one.id === updateId);
  if (update === undefined) throw notFound(`The incident ${id} has no update ${updateId}`);
  return update;
}

function refuseDate(
  { publicIncidentUpdateDate: date }: IncidentUpdateBody,
  now: number,
  path = '',
): void {
  const message = publicDateProblem(date, now);
  if (message === null) return;
  const problems = [{ path: `${path}publicIncidentUpdateDate`, message }];
  refuseProblems({ source: 'payload', problems });
}

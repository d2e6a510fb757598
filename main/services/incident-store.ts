import type { AutomatedIncidents } from '#main/incidents/incident-port.ts';
import type { MailingPort } from '#main/incidents/mailing-port.ts';
import { IdSequence } from '#main/platform/id-sequence.ts';
import type { History, HistoryRecords } from '#main/store/history/history.ts';
import type { StoredIncident, StoredIncidentUpdate } from '#shared/incidents/incident.ts';
import { incidentMailing } from '#shared/status-pages/incident-mailing.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

export interface IncidentParts extends ServiceParts {
  history: Pick<
    History,
    'write' | 'findIncident' | 'findIncidents' | 'listIncidents' | 'listIncidentHeads'
  >;
  incidents: AutomatedIncidents;
  mailings: MailingPort;
}

/** What a change makes of an incident, and the update that is mailed to subscribers, if any. */
export interface ChangedIncident {
  incident: StoredIncident;
  posted?: StoredIncidentUpdate;
}

/** Incidents beside automation: the newest version of each, and changes that neither side loses. */
export class IncidentStore {
  readonly #parts: IncidentParts;
  readonly #ids = new IdSequence();

  constructor(parts: IncidentParts) {
    this.#parts = parts;
  }

  /** The newest version of an incident, with its services as they are now. @throws ServiceError NOT_FOUND */
  async find(id: string): Promise<StoredIncident> {
    return this.#living(await this.#newest(id));
  }

  /** The newest versions of incidents that were read, each with its services as they are now. */
  newestOf(read: readonly StoredIncident[]): StoredIncident[] {
    const { incidents } = this.#parts;
    return read.map((incident) => this.#living(incidents.find(incident.id) ?? incident));
  }

  /** A UUIDv7 that sorts after those before, and its time, epoch ms. */
  nextId(): { id: string; at: number } {
    return this.#ids.next(this.#parts.clock.now());
  }

  /**
   * Changes an incident, as the next revision; answers as {@link find}.
   *
   * Nothing is awaited from the reading of an incident of automation until automation has the change: its
   * next result may change the incident.
   */
  change(
    id: string,
    change: (incident: StoredIncident, now: number) => ChangedIncident,
  ): Promise<StoredIncident> {
    const { mutex, incidents, clock } = this.#parts;
    return mutex(`incident ${id}`, async () => {
      const before = incidents.find(id) ?? (await this.#newest(id));
      const now = clock.now();
      const changed = change(before, now);
      const incident = { ...changed.incident, revision: before.revision + 1, updatedAt: now };
      const takeBack = incidents.change(incident);
      try {
        await this.write({ ...changed, incident });
      } catch (error) {
        takeBack();
        throw error;
      }
      return this.#living(incident);
    });
  }

  /** Writes an incident, and the mailing of its new update in the same transaction. */
  async write({ incident, posted }: ChangedIncident): Promise<void> {
    const { configuration, history, mailings } = this.#parts;
    const pages = configuration.statusPages.all();
    const stamp = this.nextId();
    const mailing = posted ? incidentMailing(this.#living(incident), posted, pages, stamp) : null;
    const records: HistoryRecords = { incidents: [incident] };
    if (mailing === null) return history.write(records);
    await history.write({ ...records, mailings: [mailing] });
    mailings.enqueue([mailing]);
  }

  /** A service that was deleted since is as it was then. */
  #living(incident: StoredIncident): StoredIncident {
    const { pageServices } = this.#parts.configuration;
    const services = incident.services.map((service) => pageServices.get(service.id) ?? service);
    return { ...incident, services };
  }

  /** The newest version of an incident, written or not. @throws ServiceError NOT_FOUND */
  async #newest(id: string): Promise<StoredIncident> {
    const { history, incidents } = this.#parts;
    const incident = incidents.find(id) ?? (await history.findIncident(id));
    if (incident === null) throw notFound(`No incident has the id ${id}`);
    return incident;
  }
}

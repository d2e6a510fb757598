import { randomUUID } from 'node:crypto';
import {
  type DashboardIncident,
  type DashboardIncidentChanges,
  type DashboardIncidentUpdate,
  isOver,
  MAX_DASHBOARD_INCIDENT_UPDATES,
  MAX_DASHBOARD_INCIDENTS,
  type NewDashboardIncident,
  type NewIncidentUpdate,
} from '#shared/dashboards/dashboard-incident.ts';
import { DASHBOARDS, type Dashboards } from './dashboards.ts';
import type { ServiceParts } from './resource.ts';
import { conflict, notFound, refuseProblems } from './service-error.ts';

/** What people write on dashboards of what goes wrong. */
export class DashboardIncidents {
  readonly #parts: ServiceParts;
  readonly #dashboards: Dashboards;

  constructor(parts: ServiceParts, dashboards: Dashboards) {
    this.#parts = parts;
    this.#dashboards = dashboards;
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: string): DashboardIncident {
    const incident = this.#parts.configuration.dashboardIncidents.get(id);
    if (incident === undefined) throw notFound(`No incident has the id ${id}`);
    return incident;
  }

  /** Of one dashboard, in the order they were made. @param id the number of the dashboard */
  of(id: number): DashboardIncident[] {
    const all = this.#parts.configuration.dashboardIncidents.all();
    return all.filter(({ dashboardId }) => dashboardId === id);
  }

  /**
   * Where there are as many as may be, the oldest one that is over makes room.
   *
   * @throws ServiceError NOT_FOUND for the dashboard, CONFLICT where none is over
   */
  create(body: NewDashboardIncident): Promise<DashboardIncident> {
    const { mutex, configuration } = this.#parts;
    return mutex(DASHBOARDS, async () => {
      this.#dashboards.findByNumber(body.dashboardId);
      await this.#makeRoom();
      const created_at = this.#now();
      const incidentUpdates = body.incidentUpdates.map((update) => this.#stamped(update));
      const incident = { ...body, id: randomUUID(), incidentUpdates, created_at, updated_at: null };
      await configuration.dashboardIncidents.put(incident);
      return incident;
    });
  }

  /** Members left out stay as they were. @throws ServiceError NOT_FOUND */
  change(id: string, body: DashboardIncidentChanges): Promise<DashboardIncident> {
    return this.#change(id, (incident) => {
      const { impact = incident.impact } = body;
      return { ...incident, ...body, impact } as DashboardIncident;
    });
  }

  /** @throws ServiceError NOT_FOUND */
  delete(id: string): Promise<void> {
    const { mutex, configuration } = this.#parts;
    return mutex(DASHBOARDS, async () => {
      await configuration.dashboardIncidents.delete(this.find(id).id);
    });
  }

  /** @throws ServiceError NOT_FOUND, or CONFLICT where the incident has as many as it may have */
  async addUpdate(id: string, body: NewIncidentUpdate): Promise<DashboardIncidentUpdate> {
    const update = this.#stamped(body);
    await this.#change(id, (incident) => {
      const { incidentUpdates: updates } = incident;
      if (updates.length >= MAX_DASHBOARD_INCIDENT_UPDATES) {
        throw conflict(`The incident has ${updates.length} updates already`);
      }
      return { ...incident, incidentUpdates: [...updates, update] };
    });
    return update;
  }

  /** @throws ServiceError NOT_FOUND for the incident or the update */
  async editUpdate(
    id: string,
    updateId: string,
    { description }: { description: string },
  ): Promise<DashboardIncidentUpdate> {
    const changed = await this.#change(id, (incident) => {
      const before = findUpdate(incident, updateId);
      const edited = { ...before, description, updated_at: this.#now() };
      const incidentUpdates = incident.incidentUpdates.map((one) =>
        one === before ? edited : one,
      );
      return { ...incident, incidentUpdates };
    });
    return findUpdate(changed, updateId);
  }

  /** @throws ServiceError NOT_FOUND, or INVALID for the only update: an incident has at least one */
  async deleteUpdate(id: string, updateId: string): Promise<void> {
    await this.#change(id, (incident) => {
      const gone = findUpdate(incident, updateId);
      const incidentUpdates = incident.incidentUpdates.filter((one) => one !== gone);
      if (incidentUpdates.length === 0) {
        const message = 'expected another one than the only update of the incident';
        refuseProblems({ source: 'params', problems: [{ path: 'id', message }] });
      }
      return { ...incident, incidentUpdates };
    });
  }

  #change(
    id: string,
    change: (incident: DashboardIncident) => DashboardIncident,
  ): Promise<DashboardIncident> {
    const { mutex, configuration } = this.#parts;
    return mutex(DASHBOARDS, async () => {
      const changed = { ...change(this.find(id)), updated_at: this.#now() };
      await configuration.dashboardIncidents.put(changed);
      return changed;
    });
  }

  async #makeRoom(): Promise<void> {
    const { configuration, clock } = this.#parts;
    const { dashboardIncidents } = configuration;
    if (dashboardIncidents.size < MAX_DASHBOARD_INCIDENTS) return;
    const oldest = dashboardIncidents.all().find((one) => isOver(one, clock.now()));
    if (oldest === undefined) {
      throw conflict(`There are ${dashboardIncidents.size} incidents already, and none is over`);
    }
    await dashboardIncidents.delete(oldest.id);
  }

  #stamped(update: NewIncidentUpdate): DashboardIncidentUpdate {
    return { id: randomUUID(), ...update, created_at: this.#now(), updated_at: null };
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

function findUpdate({ id, incidentUpdates }: DashboardIncident, updateId: string) {
  const update = incidentUpdates.find((one) => one.id === updateId);
  if (update === undefined) throw notFound(`The incident ${id} has no update ${updateId}`);
  return update;
}

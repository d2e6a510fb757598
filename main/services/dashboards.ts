import { randomBytes } from 'node:crypto';
import {
  type Dashboard,
  type DashboardBody,
  type DashboardChanges,
  MAX_DASHBOARDS,
} from '#shared/dashboards/dashboard.ts';
import { Resource, type ServiceParts } from './resource.ts';
import { conflict, notFound } from './service-error.ts';

/** Changes of dashboards, and of their incidents, wait for each other. */
export const DASHBOARDS = 'dashboards';

const KIND = {
  noun: 'dashboard',
  plural: 'dashboards',
  counter: 'dashboards',
  max: MAX_DASHBOARDS,
};

/** What no two dashboards share, and by what one is found. */
const UNIQUE = ['customUrl', 'customDomain'] as const;
export const DASHBOARD_NAMES = ['dashboardId', ...UNIQUE] as const;
export type DashboardName = (typeof DASHBOARD_NAMES)[number];

const ID_BYTES = 4;

/** Pages of checks for people without a key. */
export class Dashboards {
  readonly #parts: ServiceParts;
  readonly #dashboards: Resource<Dashboard>;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.#dashboards = new Resource(KIND, parts.configuration.dashboards, parts);
  }

  /** In the order of their ids. */
  all(): readonly Dashboard[] {
    return this.#dashboards.all();
  }

  /** Finds one by one of its names, in any case. @throws ServiceError NOT_FOUND */
  find(value: string, name: DashboardName = 'dashboardId'): Dashboard {
    const found = this.all().find((one) => one[name] === value.toLowerCase());
    if (found === undefined) throw notFound(`No dashboard has the ${name} ${value}`);
    return found;
  }

  /** @throws ServiceError NOT_FOUND */
  findByNumber(id: number): Dashboard {
    return this.#dashboards.find(id);
  }

  /** @throws ServiceError CONFLICT where an address is taken, or where there are too many */
  create(body: DashboardBody): Promise<Dashboard> {
    return this.#parts.mutex(DASHBOARDS, () => {
      this.#refuseTaken(body, null);
      return this.#dashboards.create({ ...body, dashboardId: this.#newDashboardId() });
    });
  }

  /** Members left out stay as they were. @throws ServiceError NOT_FOUND, CONFLICT as {@link create} */
  change(dashboardId: string, body: DashboardChanges): Promise<Dashboard> {
    return this.#parts.mutex(DASHBOARDS, () => {
      const before = this.find(dashboardId);
      this.#refuseTaken(body, before.id);
      const { width = before.width, ...others } = body as Partial<DashboardBody>;
      return this.#dashboards.change(before, { ...others, width });
    });
  }

  /** Its incidents go with it. @throws ServiceError NOT_FOUND */
  delete(dashboardId: string): Promise<void> {
    return this.#parts.mutex(DASHBOARDS, async () => {
      const dashboard = this.find(dashboardId);
      const { dashboardIncidents } = this.#parts.configuration;
      const number = Number(dashboard.id);
      // Incidents go first: after a crash between the two the dashboard can be deleted again.
      for (const incident of dashboardIncidents.all()) {
        if (incident.dashboardId === number) await dashboardIncidents.delete(incident.id);
      }
      await this.#dashboards.delete(dashboard);
    });
  }

  #refuseTaken(body: DashboardChanges, ownId: string | null): void {
    for (const name of UNIQUE) {
      const wanted = body[name] ?? null;
      const isTaken = this.all().some((one) => one[name] === wanted && one.id !== ownId);
      if (wanted !== null && isTaken) {
        throw conflict(`${name}: another dashboard has ${JSON.stringify(wanted)}`);
      }
    }
  }

  #newDashboardId(): string {
    const id = randomBytes(ID_BYTES).toString('hex');
    return this.all().some(({ dashboardId }) => dashboardId === id) ? this.#newDashboardId() : id;
  }
}

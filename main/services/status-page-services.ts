import type { History } from '#main/store/history/history.ts';
import type { IncidentHead } from '#shared/incidents/incident.ts';
import {
  MAX_PAGE_SERVICES,
  type PageService,
  type PageServiceBody,
} from '#shared/status-pages/page-service.ts';
import { REFERENCES, type User, usersInWords } from './references.ts';
import { type CursorPage, Resource, type ServiceParts } from './resource.ts';
import { conflict } from './service-error.ts';

const KIND = {
  noun: 'status-page service',
  plural: 'status-page services',
  max: MAX_PAGE_SERVICES,
};

interface PageServiceParts extends ServiceParts {
  history: Pick<History, 'listIncidentHeads'>;
}

/** One name more than a refusal says, so that it is known whether there are more. */
const MOST_INCIDENTS = 6;

/** What status pages show the state of. */
export class StatusPageServices {
  readonly #parts: PageServiceParts;
  readonly #services: Resource<PageService>;

  constructor(parts: PageServiceParts) {
    this.#parts = parts;
    this.#services = new Resource(KIND, parts.configuration.pageServices, parts);
  }

  /** In the order of their creation. */
  all(): readonly PageService[] {
    return this.#services.all();
  }

  /** In the order of their creation. */
  page(query: { after?: string | undefined; limit: number }): CursorPage<PageService> {
    return this.#services.page(query);
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: string): PageService {
    return this.#services.find(id);
  }

  /** @throws ServiceError CONFLICT where there are too many */
  create(body: PageServiceBody): Promise<PageService> {
    return this.#parts.mutex(REFERENCES, () => this.#services.create(body));
  }

  /** @throws ServiceError NOT_FOUND */
  replace(id: string, body: PageServiceBody): Promise<PageService> {
    return this.#parts.mutex(REFERENCES, async () => this.#services.change(this.find(id), body));
  }

  /** @throws ServiceError NOT_FOUND, or CONFLICT while anything names it */
  delete(id: string): Promise<void> {
    return this.#parts.mutex(REFERENCES, async () => {
      const service = this.find(id);
      const users = [...this.#configuredUsers(id), ...(await this.#openIncidents(id))];
      if (users.length > 0) throw conflict(`The service is used by ${usersInWords(users)}`);
      await this.#services.delete(service);
    });
  }

  #configuredUsers(serviceId: string): User[] {
    const { statusPages, checks, maintenanceWindows } = this.#parts.configuration;
    const pages = statusPages
      .all()
      .filter(({ cards }) => cards.some((card) => card.serviceIds.includes(serviceId)));
    const opening = checks
      .all()
      .filter(({ triggerIncident }) => triggerIncident?.serviceId === serviceId);
    const windows = maintenanceWindows
      .all()
      .filter(({ statusPageVisibility: shown }) => shown.serviceIds.includes(serviceId));
    return [
      ...named('status page', pages),
      ...named('check', opening),
      ...named('maintenance window', windows),
    ];
  }

  async #openIncidents(serviceId: string): Promise<User[]> {
    // Public dates may lie a day ahead, so one that ends later today is not over either.
    const now = this.#parts.clock.now();
    const period = { from: now, to: Number.MAX_SAFE_INTEGER };
    const heads = await this.#parts.history.listIncidentHeads({ ...period, limit: 1_000 });
    return named('incident', heads.filter(naming(serviceId)).slice(0, MOST_INCIDENTS));
  }
}

const naming =
  (serviceId: string) =>
  ({ serviceIds }: IncidentHead): boolean =>
    serviceIds.includes(serviceId);

function named(noun: string, users: readonly { id: string; name: string }[]): User[] {
  return users.map(({ id, name }) => ({ noun, id, name }));
}

import { randomUUID } from 'node:crypto';
import { hashPassword } from '#main/platform/password-hash.ts';
import type { History } from '#main/store/history/history.ts';
import type { IncidentHead, StoredIncident } from '#shared/incidents/incident.ts';
import { cardProblems, changedCards } from '#shared/status-pages/card-changes.ts';
import {
  type CardBody,
  MAX_STATUS_PAGES,
  type PageAccessBody,
  type StatusPage,
  type StatusPageBody,
  type StatusPageCard,
  type StatusPageChanges,
} from '#shared/status-pages/status-page.ts';
import { MAX_PAGE_INCIDENTS, type ShownPage } from '#shared/status-pages/status-page-view.ts';
import type { Incidents } from './incidents.ts';
import { REFERENCES } from './references.ts';
import { type CursorPage, Resource, type ServiceParts } from './resource.ts';
import { conflict, refuseProblems } from './service-error.ts';

const KIND = { noun: 'status page', plural: 'status pages', max: MAX_STATUS_PAGES };

/** What no two pages share. */
const UNIQUE = ['url', 'customDomain'] as const;

const INCIDENTS_MS = 90 * 86_400_000;
/** Incidents that are looked through for those of pages. */
const MAX_HEADS = 1_000;

interface StatusPageParts extends ServiceParts {
  history: Pick<History, 'write' | 'listIncidentHeads'>;
  incidents: Pick<Incidents, 'some'>;
}

/** The pages that say how services are. */
export class StatusPages {
  readonly #parts: StatusPageParts;
  readonly #pages: Resource<StatusPage>;

  constructor(parts: StatusPageParts) {
    this.#parts = parts;
    this.#pages = new Resource<StatusPage>(KIND, parts.configuration.statusPages, parts);
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: string): StatusPage {
    return this.#pages.find(id);
  }

  /** In the order of their creation. */
  page(query: { after?: string | undefined; limit: number }): CursorPage<StatusPage> {
    return this.#pages.page(query);
  }

  /** Pages with their services and the incidents of these. */
  async shown(pages: readonly StatusPage[]): Promise<ShownPage[]> {
    const { clock, history, incidents } = this.#parts;
    const period = { from: clock.now() - INCIDENTS_MS, to: Number.MAX_SAFE_INTEGER };
    const heads = await history.listIncidentHeads({ ...period, limit: MAX_HEADS });
    const idsOfPages = pages.map((page) => incidentIdsOf(page, heads));
    const found = await incidents.some([...new Set(idsOfPages.flat())]);
    return pages.map((page, index) => ({
      page,
      services: this.#servicesOf(page),
      incidents: (idsOfPages[index] ?? []).flatMap((id): StoredIncident[] => {
        const incident = found.get(id);
        return incident === undefined ? [] : [incident];
      }),
    }));
  }

  /**
   * @throws ServiceError INVALID for what it names and is not there, CONFLICT for an address that is taken
   *   or too many pages
   */
  create({ version: _, ...body }: StatusPageBody): Promise<StatusPage> {
    return this.#parts.mutex(REFERENCES, () => {
      this.#refuseTaken(body, null);
      const cards = this.#cardsOf(body.cards, []);
      const { defaultTheme = 'AUTO' } = body;
      const access = { visibility: 'PUBLIC', passwordHash: null, whiteLabel: false } as const;
      return this.#pages.create({ ...body, defaultTheme, cards, version: 1, ...access });
    });
  }

  /**
   * Members left out stay as they were.
   *
   * @throws ServiceError NOT_FOUND; CONFLICT where its `version` is older than the page; as {@link create}
   */
  change(id: string, { version, ...body }: StatusPageChanges): Promise<StatusPage> {
    return this.#parts.mutex(REFERENCES, async () => {
      const before = this.find(id);
      if (version !== undefined && version !== before.version) {
        throw conflict(`The page has the version ${before.version} by now`);
      }
      this.#refuseTaken(body, id);
      const { cards = null, defaultTheme = before.defaultTheme } = body;
      return this.#pages.change(before, {
        ...(body as Partial<StatusPage>),
        defaultTheme,
        cards: cards === null ? before.cards : this.#cardsOf(cards, before.cards),
        version: before.version + 1,
      });
    });
  }

  /** Says who may read a page. @throws ServiceError NOT_FOUND; INVALID for a private one without password */
  async changeAccess(id: string, body: PageAccessBody): Promise<StatusPage> {
    const { password, ...others } = body;
    this.find(id);
    const hash = password === undefined ? null : await hashPassword(password);
    return this.#parts.mutex(REFERENCES, async () => {
      const before = this.find(id);
      const access = {
        visibility: others.visibility ?? before.visibility,
        passwordHash: hash ?? before.passwordHash,
        whiteLabel: others.whiteLabel ?? before.whiteLabel,
      };
      if (access.visibility === 'PRIVATE' && access.passwordHash === null) {
        const message = 'expected one, for the page has none yet';
        refuseProblems({ source: 'payload', problems: [{ path: 'password', message }] });
      }
      return this.#pages.change(before, access);
    });
  }

  /** Its subscriptions end with it. @throws ServiceError NOT_FOUND */
  delete(id: string): Promise<void> {
    return this.#parts.mutex([REFERENCES, subscriptionsKey(id)], async () => {
      const page = this.find(id);
      // Subscriptions go first: after a crash between the two the page can be deleted again.
      await this.#parts.history.write({ endedPages: [id] });
      await this.#pages.delete(page);
    });
  }

  #servicesOf({ cards }: StatusPage): ShownPage['services'] {
    const { pageServices } = this.#parts.configuration;
    const services = cards
      .flatMap(({ serviceIds }) => serviceIds)
      .flatMap((serviceId) => pageServices.get(serviceId) ?? []);
    return new Map(services.map((service) => [service.id, service]));
  }

  #cardsOf(cards: readonly CardBody[], before: readonly StatusPageCard[]): StatusPageCard[] {
    const { configuration, clock } = this.#parts;
    const isService = (id: string) => configuration.pageServices.get(id) !== undefined;
    refuseProblems({ source: 'payload', problems: cardProblems(cards, { before, isService }) });
    const now = new Date(clock.now()).toISOString();
    return changedCards(cards, { before, newId: randomUUID, now });
  }

  #refuseTaken(body: Pick<StatusPageChanges, 'url' | 'customDomain'>, ownId: string | null): void {
    for (const name of UNIQUE) {
      const wanted = body[name] ?? null;
      const isTaken = this.#pages.all().some((one) => one[name] === wanted && one.id !== ownId);
      if (wanted !== null && isTaken) {
        throw conflict(`${name}: another status page has ${JSON.stringify(wanted)}`);
      }
    }
  }
}

/** Changes of the subscriptions of a page wait for each other. */
export const subscriptionsKey = (pageId: string): string => `subscriptions of ${pageId}`;

function incidentIdsOf({ cards }: StatusPage, heads: readonly IncidentHead[]): string[] {
  const shown = new Set(cards.flatMap(({ serviceIds }) => serviceIds));
  return heads
    .filter(({ serviceIds }) => serviceIds.some((id) => shown.has(id)))
    .slice(0, MAX_PAGE_INCIDENTS)
    .map(({ id }) => id);
}

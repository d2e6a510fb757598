import { atPace } from '#main/platform/yielding.ts';
import type { IncidentHead } from '#shared/incidents/incident.ts';
import { pageAddress } from '#shared/status-pages/page-address.ts';
import {
  maintenanceNow,
  monthOf,
  pageSteps,
  publicIncident,
  publicMaintenance,
  servicesOf,
  validUntil,
} from '#shared/status-pages/public-page-rules.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { atomFeed, entriesOf, type FeedParts, rssFeed } from './feeds.ts';
import { contentPolicy } from './html/frame.ts';
import { type Html, html } from './html/html.ts';
import { Markdown } from './html/markdown.ts';
import { incidentPage, MONTH_PAGE_SIZE, maintenancePage, monthPage } from './html/past-pages.ts';
import { statusPage } from './html/status-page.ts';
import type { View } from './html/view.ts';
import type { PageAddresses } from './page-addresses.ts';
import { PageSource, type SourceParts } from './page-source.ts';
import { statusJson } from './status-json.ts';
import type { DocumentLinks, PageDocument } from './status-pages-port.ts';

export interface MakerParts extends SourceParts {
  /** Where others reach the appliance, without a slash at its end. */
  baseUrl(): string;
  /** Whether mails can be sent to subscribers. */
  takesSubscribers: boolean;
}

/** A document as text. */
export interface MadeDocument {
  text: string;
  /** Content type. */
  type: string;
  /** Epoch ms: until when it stays the same while nothing is changed. */
  validUntil: number;
  madeAt: number;
}

/** A document is made anew after this time, so that "Updated at" is never long ago. */
const FRESH_MS = 5 * 60_000;

/** Incidents whose updates a feed looks through. */
const MAX_FEED_INCIDENTS = 25;

const HTML = 'text/html; charset=utf-8';
const TYPES = {
  page: HTML,
  month: HTML,
  incident: HTML,
  maintenance: HTML,
  json: 'application/json; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  slack: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
} as const satisfies Record<PageDocument['kind'], string>;

type Content = { text: string; validUntil?: number } | null;

/** Makes documents of status pages from what is stored. */
export class DocumentMaker {
  readonly source: PageSource;
  readonly #parts: MakerParts;
  readonly #markdown = new Markdown();

  constructor(parts: MakerParts) {
    this.#parts = parts;
    this.source = new PageSource(parts);
  }

  /** When the months of a page begin, epoch ms: with the page, or with an incident that was dated back. */
  firstMonthOf(page: StatusPage, heads: readonly IncidentHead[], now: number): number {
    const moments = [Date.parse(page.created_at), now, ...heads.map(({ startedAt }) => startedAt)];
    return Date.parse(`${monthOf(moments.reduce((a, b) => Math.min(a, b)))}-01`);
  }

  /** Null where the page has no such document. */
  async make(
    page: StatusPage,
    document: PageDocument,
    links: DocumentLinks,
  ): Promise<MadeDocument | null> {
    const now = this.#parts.clock.now();
    const made = await this.#contentOf(page, document, links, now);
    if (made === null) return null;
    const until = Math.min(made.validUntil ?? Number.POSITIVE_INFINITY, now + FRESH_MS);
    return { text: made.text, type: TYPES[document.kind], validUntil: until, madeAt: now };
  }

  #contentOf(
    page: StatusPage,
    document: PageDocument,
    links: DocumentLinks,
    now: number,
  ): Promise<Content> {
    const view = this.#viewOf(page, links);
    switch (document.kind) {
      case 'page':
      case 'json':
        return this.#whole(page, document.kind, view, now);
      case 'month':
        return this.#month(page, document, view, now);
      case 'incident':
        return this.#incident(page, document.id, view, now);
      case 'maintenance':
        return this.#maintenance(page, document.id, view, now);
      default:
        return this.#feed(page, document.kind, links, now);
    }
  }

  #viewOf(page: StatusPage, links: DocumentLinks): View {
    const isExport = links.ending !== '';
    return {
      page,
      links,
      markdown: this.#markdown,
      takesSubscribers: this.#parts.takesSubscribers && !isExport,
      ...(isExport && { head: policyOf(page) }),
    };
  }

  async #whole(page: StatusPage, kind: 'page' | 'json', view: View, now: number): Promise<Content> {
    const shown = await atPace(pageSteps(await this.source.material(page, now)));
    const { validUntil } = shown;
    if (kind === 'json')
      return { text: statusJson(page, shown, this.#addressesOf(page, view.links)), validUntil };
    return { text: (await atPace(statusPage(shown, view))).text, validUntil };
  }

  async #month(
    page: StatusPage,
    { month, part }: { month: string; part: number },
    view: View,
    now: number,
  ): Promise<Content> {
    const from = Date.parse(`${month}-01`);
    const after = new Date(from).setUTCMonth(new Date(from).getUTCMonth() + 1);
    const heads = await this.source.headsOf(page, now);
    const first = this.firstMonthOf(page, heads, now);
    if (!(from >= first && from <= now)) return null;
    const all = await this.source.headsWithin(page, from, Math.min(after, now));
    const shown = this.#shownOf(page);
    const start = (part - 1) * MONTH_PAGE_SIZE;
    if (part > 1 && start >= all.length) return null;
    const incidents = all
      .slice(start, start + MONTH_PAGE_SIZE)
      .map((head) => publicIncident(head, shown, now));
    const hasMore = all.length > start + MONTH_PAGE_SIZE;
    const earlier = from > first ? monthOf(from - 1) : null;
    const later = after <= now ? monthOf(after) : null;
    return { text: monthPage({ month, part, incidents, hasMore, earlier, later }, view).text };
  }

  async #incident(page: StatusPage, id: string, view: View, now: number): Promise<Content> {
    const [incident] = await this.source.incidents([{ id }]);
    if (incident === undefined) return null;
    const shown = publicIncident(incident, this.#shownOf(page), now);
    if (shown.services.length === 0 || shown.startedAt > now) return null;
    await this.#prepare([shown]);
    const moments = incident.updates.map(({ publishedAt }) => publishedAt);
    return { text: incidentPage(shown, now, view).text, validUntil: nextOf(moments, now) };
  }

  async #maintenance(page: StatusPage, id: string, view: View, now: number): Promise<Content> {
    const occurrence = this.source.occurrence(page, id, now);
    if (occurrence === undefined) return null;
    const shown = publicMaintenance(occurrence, this.#shownOf(page));
    await this.#prepare([shown]);
    const moments = [shown.startsAt, shown.endsAt];
    return { text: maintenancePage(shown, now, view).text, validUntil: nextOf(moments, now) };
  }

  async #feed(
    page: StatusPage,
    kind: 'rss' | 'atom' | 'slack',
    links: DocumentLinks,
    now: number,
  ): Promise<Content> {
    const { occurrences } = await this.source.material(page, now);
    const heads = await this.source.headsOf(page, now);
    const begun = heads.filter(({ startedAt }) => startedAt <= now).slice(0, MAX_FEED_INCIDENTS);
    const incidents = await this.source.incidents(begun);
    const shown = this.#shownOf(page);
    const { running, announced } = maintenanceNow(occurrences, shown, now);
    const at = this.#addressesOf(page, links);
    const told = {
      incidents: incidents.map((incident) => publicIncident(incident, shown, now)),
      maintenance: [...running, ...announced],
    };
    const entries = entriesOf(told, at);
    await this.#markdown.prepare(entries.map(({ description }) => description));
    const parts: FeedParts = { page, at, entries, markdown: this.#markdown };
    return {
      text: feedOf(kind, parts).text,
      validUntil: validUntil({ occurrences, incidents, now }, heads, false),
    };
  }

  #prepare(events: readonly { updates: readonly { description: string }[] }[]): Promise<void> {
    const texts = events.flatMap(({ updates }) => updates.map(({ description }) => description));
    return this.#markdown.prepare(texts);
  }

  #shownOf(page: StatusPage) {
    return servicesOf({ page, services: this.source.servicesOf(page) });
  }

  #addressesOf(page: StatusPage, { ending }: DocumentLinks): PageAddresses {
    return { home: pageAddress(page, this.#parts.baseUrl()), ending };
  }
}

/** The first moment that is still to come. */
function nextOf(moments: readonly number[], now: number): number {
  return Math.min(...moments.filter((moment) => moment > now), Number.POSITIVE_INFINITY);
}

function feedOf(kind: 'rss' | 'atom' | 'slack', parts: FeedParts): Html {
  if (kind === 'atom') return atomFeed(parts);
  return rssFeed(parts, kind === 'rss' ? 'markup' : 'text');
}

/** A file has no headers: it holds its policy itself. */
function policyOf({ logo, logoDark, favicon }: StatusPage): Html {
  const policy = contentPolicy([logo, logoDark, favicon]);
  return html`<meta http-equiv="content-security-policy" content="${policy}">\n`;
}

import type { IncidentStatus } from '#shared/incidents/incident.ts';
import type { MaintenanceStatus } from '#shared/maintenance/maintenance.ts';
import type {
  Named,
  PublicIncident,
  PublicMaintenance,
  PublicUpdate,
} from '#shared/status-pages/public-page.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { STATUS_WORDS } from './html/events.ts';
import { type Html, html, trusted } from './html/html.ts';
import type { Markdown } from './html/markdown.ts';
import { utcText } from './html/times.ts';
import { documentAddress, type PageAddresses } from './page-addresses.ts';

/** One thing that was said, or is announced. */
export interface FeedEntry {
  /** Of the update, or of the maintenance: the same for ever. */
  id: string;
  title: string;
  /** Its permanent address. */
  link: string;
  /** What it concerns; then what was said, in markdown. */
  summary: string;
  description: string;
  publishedAt: number;
}

/** Most entries of a feed. */
export const MAX_ENTRIES = 50;

interface Told {
  incidents: readonly PublicIncident[];
  maintenance: readonly PublicMaintenance[];
}

/** What a feed has: each update, and maintenance from its announcement on, newest first. */
export function entriesOf({ incidents, maintenance }: Told, at: PageAddresses): FeedEntry[] {
  const ofIncidents = incidents.flatMap((incident) =>
    updatesOf(incident, documentAddress(at, `incidents/${incident.id}`)),
  );
  const ofMaintenance = maintenance.flatMap((one) => {
    const link = documentAddress(at, `maintenances/${one.id}`);
    return [announcement(one, link), ...updatesOf(one, link)];
  });
  return [...ofIncidents, ...ofMaintenance]
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
    .slice(0, MAX_ENTRIES);
}

interface Event {
  name: string;
  services: readonly Named[];
  updates: readonly PublicUpdate<IncidentStatus | MaintenanceStatus>[];
}

function updatesOf({ name, services, updates }: Event, link: string): FeedEntry[] {
  return updates.map(({ id, status, description, publishedAt }) => ({
    id,
    title: `${name}: ${STATUS_WORDS[status]}`,
    link: `${link}#update-${id}`,
    summary: namesOf(services),
    description,
    publishedAt,
  }));
}

/** A feed is told of maintenance two weeks ahead. */
const ANNOUNCED_MS = 14 * 86_400_000;

function announcement(one: PublicMaintenance, link: string): FeedEntry {
  const { id, name, services, description, startsAt, endsAt } = one;
  const when = `${utcText(startsAt, 'full')} to ${utcText(endsAt, 'full')}`;
  return {
    id,
    title: `${name}: maintenance`,
    link,
    summary: [when, namesOf(services)].filter((part) => part !== '').join('. '),
    description: description ?? '',
    publishedAt: startsAt - ANNOUNCED_MS,
  };
}

function namesOf(services: readonly Named[]): string {
  return services.map(({ name }) => name).join(', ');
}

/** What makes feeds of a page's entries. */
export interface FeedParts {
  page: Pick<StatusPage, 'name' | 'description' | 'created_at'>;
  at: PageAddresses;
  entries: readonly FeedEntry[];
  markdown: Markdown;
}

/** Escaped once as markup, and once more as the text of an element. */
const asMarkup = ({ summary, description }: FeedEntry, markdown: Markdown): Html =>
  html`${html`${summary !== '' && html`<p>${summary}</p>`}${markdown.render(description)}`.text}`;

const asText = ({ summary, description }: FeedEntry): Html =>
  html`${[summary, description].filter((part) => part !== '').join('\n\n')}`;

const XML = trusted('<?xml version="1.0" encoding="UTF-8"?>\n');

/** RSS 2.0 with markup in its descriptions; as plain text for Slack, which shows markup as it is. */
export function rssFeed(parts: FeedParts, form: 'markup' | 'text'): Html {
  const { page, at, entries, markdown } = parts;
  const self = `${at.home}/${form === 'markup' ? 'feed' : 'slack'}.rss`;
  return html`${XML}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${page.name}</title><link>${at.home}/</link><description>${page.description ?? `Status of ${page.name}`}</description>
<atom:link href="${self}" rel="self" type="application/rss+xml"/>
${entries.map(
  (
    entry,
  ) => html`<item><title>${entry.title}</title><link>${entry.link}</link><guid isPermaLink="false">${entry.id}</guid><pubDate>${new Date(entry.publishedAt).toUTCString()}</pubDate><description>${form === 'markup' ? asMarkup(entry, markdown) : asText(entry)}</description></item>
`,
)}</channel></rss>
`;
}

/** Atom (RFC 4287). */
export function atomFeed({ page, at, entries, markdown }: FeedParts): Html {
  const iso = (ms: number) => new Date(ms).toISOString();
  const updated = entries[0] === undefined ? page.created_at : iso(entries[0].publishedAt);
  return html`${XML}<feed xmlns="http://www.w3.org/2005/Atom">
<title>${page.name}</title>${page.description && html`<subtitle>${page.description}</subtitle>`}<id>${at.home}/</id><updated>${updated}</updated><author><name>${page.name}</name></author>
<link href="${at.home}/"/><link rel="self" href="${at.home}/feed.atom"/>
${entries.map(
  (
    entry,
  ) => html`<entry><title>${entry.title}</title><link href="${entry.link}"/><id>urn:uuid:${entry.id}</id><updated>${iso(entry.publishedAt)}</updated><content type="html">${asMarkup(entry, markdown)}</content></entry>
`,
)}</feed>
`;
}

import type { StatusPage } from '#shared/status-pages/status-page.ts';
import type { DocumentLinks } from '../status-pages-port.ts';
import { frame } from './frame.ts';
import { type Html, html } from './html.ts';
import type { Markdown } from './markdown.ts';
import { theme } from './theme.ts';

/** Whose document it is, and where it stands. */
export interface Placed {
  page: StatusPage;
  links: DocumentLinks;
  /** Whether readers may subscribe by e-mail from this document. */
  takesSubscribers?: boolean;
  /** Leads nowhere else: a form, or what came of one. */
  isBare?: boolean;
  /** Further elements of the head. */
  head?: Html;
}

/** What documents that show incidents and maintenance are made with. */
export interface View extends Placed {
  markdown: Markdown;
}

/** The address of the page itself in its documents. */
export function homeOf({ root, ending }: DocumentLinks): string {
  return ending === '' ? root : `${root}index.html`;
}

/** From another document back to the page itself. */
export function backLink({ page, links }: Pick<Placed, 'page' | 'links'>): Html {
  return html`<p class="back"><a class="quiet" href="${homeOf(links)}">← Status of ${page.name}</a></p>`;
}

/** The address of a document below the page: `history/2026-01`, `incidents/…`, `maintenances/…`. */
export function linkTo({ root, ending }: DocumentLinks, path: string): string {
  return `${root}${path}${ending}`;
}

/** A document of a status page: with its name or logo, its colours and feeds. */
export function pageFrame(
  placed: Placed,
  { title, main, foot }: { title: string; main: Html; foot?: Html },
): Html {
  const { page, links, isBare } = placed;
  const hasFeeds = !isBare && page.visibility !== 'PRIVATE';
  return frame({
    title,
    // Whoever is asked for the password reads nothing of what it opens.
    description: isBare ? null : page.description,
    theme: page.defaultTheme,
    root: links.root,
    isUnlisted: isBare || page.visibility !== 'PUBLIC',
    head: html`${placed.head}${headOf(placed)}${hasFeeds && alternates(placed)}`,
    header: html`${brandOf(placed)}${!isBare && subscribeMenu(placed, hasFeeds)}`,
    main,
    footer: html`<ul>${foot}${hasFeeds && feedLinks(links)}</ul>`,
    maker: page.whiteLabel ? undefined : 'Watchpost',
  });
}

function headOf({ page: { favicon, themeColors }, links: { root } }: Placed): Html {
  return html`${themeColors && html`<link rel="stylesheet" href="${root}${theme(themeColors).name}">\n`}${
    favicon && html`<link rel="icon" href="${favicon}">\n`
  }`;
}

function alternates({ page: { name }, links: { root } }: Placed): Html {
  return html`<link rel="alternate" type="application/atom+xml" title="${name}" href="${root}feed.atom">
<link rel="alternate" type="application/rss+xml" title="${name}" href="${root}feed.rss">
`;
}

/** The logo, or else the name; it leads to where the owner of the page wants. */
function brandOf({ page, links }: Placed): Html {
  const { name, logo, logoDark, redirectTo } = page;
  const image = (address: string, kind: string) =>
    html`<img class="${kind}" src="${address}" alt="${name}" loading="lazy">`;
  const shown =
    logo !== null && logoDark !== null
      ? html`${image(logo, 'only-light')}${image(logoDark, 'only-dark')}`
      : logo !== null || logoDark !== null
        ? image(logo ?? logoDark ?? '', 'logo')
        : name;
  return html`<a class="brand" href="${redirectTo ?? homeOf(links)}">${shown}</a>`;
}

/** A private page has no feeds, as programs have no password. */
function subscribeMenu({ links: { root }, takesSubscribers }: Placed, hasFeeds: boolean) {
  if (!takesSubscribers && !hasFeeds) return false;
  const feeds = html`<p class="muted">Or follow it with <a href="${root}feed.rss">RSS</a>, <a href="${root}feed.atom">Atom</a> or <a href="${root}slack.rss">Slack</a>.</p>`;
  return html`<details class="menu"><summary class="button">Subscribe</summary><div class="sheet">
${takesSubscribers && subscribeForm(`${root}subscribe`)}
${hasFeeds && feeds}
</div></details>`;
}

/** The form that asks for an address; people do not see the second field, and what fills it in is no person. */
export function subscribeForm(action: string): Html {
  return html`<form class="form" method="post" action="${action}">
<label>E-mail address <input type="email" name="address" required maxlength="254" autocomplete="email"></label>
<div class="trap" aria-hidden="true"><label>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label></div>
<button class="button" type="submit">Subscribe</button>
</form>`;
}

function feedLinks({ root }: DocumentLinks): Html {
  return html`<li><a class="quiet" href="${root}feed.rss">RSS</a></li><li><a class="quiet" href="${root}feed.atom">Atom</a></li><li><a class="quiet" href="${root}status.json">JSON</a></li>`;
}

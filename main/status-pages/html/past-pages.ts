import type { PublicIncident, PublicMaintenance } from '#shared/status-pages/public-page.ts';
import { durationText } from './durations.ts';
import { facts, incidentRows, STATUS_WORDS, span, updateList } from './events.ts';
import { type Html, html } from './html.ts';
import { icon, STATE_WORDS } from './icons.ts';
import { time, utcFormat } from './times.ts';
import { backLink, linkTo, pageFrame, type View } from './view.ts';

/** Incidents of one month that a document shows; further ones are on the next. */
export const MONTH_PAGE_SIZE = 100;

/** What a document of a month shows. */
export interface PublicMonth {
  /** `2026-01`. */
  month: string;
  /** Of the documents of the month, from 1. */
  part: number;
  /** Newest start first. */
  incidents: PublicIncident[];
  hasMore: boolean;
  /** Null where there is none. */
  earlier: string | null;
  later: string | null;
}

/** The incidents of a month, each with its own address. */
export function monthPage(shown: PublicMonth, view: View): Html {
  const { month, part, incidents, hasMore, earlier, later } = shown;
  const title = monthName(month);
  const link = (to: string, words: string, rel: string) =>
    html`<li><a rel="${rel}" href="${linkTo(view.links, `history/${to}`)}">${words}</a></li>`;
  const main = html`<div class="stack">
${backLink(view)}
<h1 class="lead">${title}</h1>
${incidents.length > 0 ? incidentRows(incidents, view) : html`<p class="muted">No incidents in ${title}.</p>`}
<nav aria-label="Months"><ul class="links">${
    hasMore && link(partOf(month, part + 1), 'More of this month', 'next')
  }${part > 1 && link(partOf(month, part - 1), 'Back in this month', 'prev')}${
    earlier && link(earlier, `← ${monthName(earlier)}`, 'prev')
  }${later && link(later, `${monthName(later)} →`, 'next')}</ul></nav>
</div>`;
  return pageFrame(view, { title: `${title} · ${view.page.name}`, main });
}

/** How the address of a document of a month ends: `2026-01`, then `2026-01.2`. */
export function partOf(month: string, part: number): string {
  return part === 1 ? month : `${month}.${part}`;
}

const monthText = utcFormat({ month: 'long', year: 'numeric' });

function monthName(month: string): string {
  return monthText(Date.parse(`${month}-01`));
}

/** One incident with all of its updates. @param now epoch ms */
export function incidentPage(incident: PublicIncident, now: number, view: View): Html {
  const { name, state, status, services, startedAt, endedAt, updates } = incident;
  const lasted = durationText((endedAt ?? now) - startedAt);
  const isShort = endedAt !== null && endedAt - startedAt < DAY_MS;
  const told =
    endedAt === null
      ? html`${STATUS_WORDS[status]}, since ${time(startedAt, 'full')}, ${lasted}`
      : html`${STATE_WORDS[state]} from ${time(startedAt, 'full')} to ${time(endedAt, isShort ? 'clock' : 'full')}, ${lasted}`;
  const main = html`<article class="stack">
${backLink(view)}
<div><h1 class="lead">${name}</h1>
${endedAt === null ? facts(state, services) : facts('works', services, STATUS_WORDS.RESOLVED)}
<p class="facts"><span>${told}</span></p></div>
<div class="panel"><h2 class="for-readers">Updates</h2>${updateList(updates, view.markdown, now)}</div>
</article>`;
  return pageFrame(view, { title: `${name} · ${view.page.name}`, main });
}

const DAY_MS = 86_400_000;

/** One occurrence of maintenance with all of its updates. @param now epoch ms */
export function maintenancePage(one: PublicMaintenance, now: number, view: View): Html {
  const { name, status, services, description, startsAt, endsAt, updates } = one;
  const names = services.map((service) => service.name).join(', ');
  const main = html`<article class="stack">
${backLink(view)}
<div><h1 class="lead">${name}</h1>
<p class="facts"><span class="word maintenance">${icon('maintenance')}${STATUS_WORDS[status]}</span>${names !== '' && html`<span>${names}</span>`}<span>${span(startsAt, endsAt)}</span></p></div>
${description && html`<div class="prose">${view.markdown.render(description)}</div>`}
${updates.length > 0 && html`<div class="panel"><h2 class="for-readers">Updates</h2>${updateList(updates, view.markdown, now)}</div>`}
</article>`;
  return pageFrame(view, { title: `${name} · ${view.page.name}`, main });
}

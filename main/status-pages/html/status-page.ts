import type { PublicCard, PublicPage, PublicService } from '#shared/status-pages/public-page.ts';
import { monthOf } from '#shared/status-pages/public-page-rules.ts';
import { incidentRows, maintenanceRows, openIncident, runningMaintenance } from './events.ts';
import { type Html, html } from './html.ts';
import { icon, STATE_WORDS } from './icons.ts';
import { DAY_PATTERNS, percent, serviceDays } from './service-days.ts';
import { time } from './times.ts';
import { linkTo, pageFrame, type View } from './view.ts';

/**
 * The page itself: what is wrong, then each service, then what was and what is planned. In steps of one service
 * each: a page of hundreds is made with rests in between.
 */
export function* statusPage(shown: PublicPage, view: View): Generator<void, Html> {
  const { state, headline, detail, open, running, cards, announced, recent, updatedAt } = shown;
  const { page, links } = view;
  const cardPanels: Html[] = [];
  for (const card of cards) cardPanels.push(yield* cardOf(card, shown.firstDay));
  const main = html`${DAY_PATTERNS}<div class="stack">
<div class="state">${icon(state)}<h1>${headline}</h1>
<p class="muted updated">${detail} Updated at ${time(updatedAt, 'clock', true)}. <strong class="stale problem" hidden></strong></p></div>
${open.map((incident) => openIncident(incident, updatedAt, view))}
${running.map((one) => runningMaintenance(one, updatedAt, view))}
${cardPanels}
${cards.length === 0 && html`<p class="panel muted">This page shows no services yet.</p>`}
${announced.length > 0 && html`<section><h2 class="section">Planned maintenance</h2>${maintenanceRows(announced, view)}</section>`}
<section><h2 class="section">The last 7 days</h2>${
    recent.length > 0
      ? incidentRows(recent, view)
      : html`<p class="muted">No ${open.length > 0 && 'other '}incidents.</p>`
  }</section>
${page.description && html`<p class="muted">${page.description}</p>`}
</div>`;
  const past = linkTo(links, `history/${monthOf(updatedAt)}`);
  return pageFrame(view, {
    title: `${headline} · ${page.name}`,
    main,
    foot: html`<li><a class="quiet" href="${past}">Past incidents</a></li>`,
  });
}

function* cardOf({ name, uptime, services }: PublicCard, firstDay: number): Generator<void, Html> {
  const rows: Html[] = [];
  for (const service of services) {
    rows.push(serviceRow(service, firstDay));
    yield;
  }
  return html`<section class="panel">
<div class="between"><h2 class="title">${name}</h2><span class="muted">${services.length > 1 && `${share(uptime)} in `}90 days</span></div>
<ul>${rows}</ul>
<p class="axis"><span class="on-desk">90 days ago</span><span class="on-phone">45 days ago</span><span>Today</span></p>
</section>`;
}

function serviceRow(service: PublicService, firstDay: number): Html {
  const { name, state, uptime } = service;
  const word = html`<span class="${state === 'works' ? 'for-readers' : `word ${state}`}">${STATE_WORDS[state]}</span>`;
  return html`<li class="service"><div class="between"><span class="name">${icon(state)}<span>${name}</span></span><span class="share">${word}<span>${share(uptime)}</span></span></div>${serviceDays(service, firstDay)}</li>`;
}

const share = (uptime: number): string => `${percent(uptime)} %`;

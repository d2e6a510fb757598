import type { BoardIncident } from '#shared/dashboards/board.ts';
import type { PublicState } from '#shared/status-pages/public-page.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import type { Markdown } from './markdown.ts';
import { time } from './times.ts';

const IMPACTS = {
  MAJOR: { state: 'down', word: 'Major' },
  MINOR: { state: 'degraded', word: 'Minor' },
  MAINTENANCE: { state: 'maintenance', word: 'Maintenance' },
} as const satisfies { [I in BoardIncident['impact']]: { state: PublicState; word: string } };

/** Incidents below a heading; nothing where there is none. */
export function boardIncidentList(
  heading: string,
  shown: readonly BoardIncident[],
  markdown: Markdown,
): Html | false {
  if (shown.length === 0) return false;
  return html`<section class="stack"><h2 class="section">${heading}</h2>${shown.map((one) => incidentOf(one, markdown))}</section>`;
}

function incidentOf(incident: BoardIncident, markdown: Markdown): Html {
  const { name, impact, startedAt, isOver, updates } = incident;
  const { state, word } = isOver ? ({ state: 'works', word: 'Over' } as const) : IMPACTS[impact];
  return html`<article class="panel event ${isOver ? '' : state}"><div class="between"><h3 class="title">${name}</h3><span class="word ${state}">${icon(state)}${word}</span></div><p class="facts"><span>${
    isOver ? 'Began' : 'Since'
  } ${time(startedAt, 'moment')}</span></p><ol class="updates">${updates.map(
    ({ status, description, at }) =>
      html`<li><h4>${statusWord(status)} ${time(at, 'moment')}</h4><div class="prose">${markdown.render(description)}</div></li>`,
  )}</ol></article>`;
}

/** `INVESTIGATING` as people write it. */
function statusWord(status: string): string {
  return status.slice(0, 1) + status.slice(1).toLowerCase();
}

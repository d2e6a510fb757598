import type { IncidentStatus } from '#shared/incidents/incident.ts';
import type { MaintenanceStatus } from '#shared/maintenance/maintenance.ts';
import type {
  Named,
  PublicIncident,
  PublicMaintenance,
  PublicState,
  PublicUpdate,
} from '#shared/status-pages/public-page.ts';
import { durationText } from './durations.ts';
import { type Html, html } from './html.ts';
import { icon, STATE_WORDS } from './icons.ts';
import type { Markdown } from './markdown.ts';
import { time } from './times.ts';
import { linkTo, type View } from './view.ts';

/** What statuses are called to readers. */
export const STATUS_WORDS = {
  INVESTIGATING: 'Investigating',
  IDENTIFIED: 'Identified',
  MONITORING: 'Monitoring',
  RESOLVED: 'Resolved',
  SCHEDULED: 'Planned',
  IN_PROGRESS: 'In progress',
  VERIFYING: 'Verifying',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
} as const satisfies Record<IncidentStatus | MaintenanceStatus, string>;

/** Updates that the page itself shows of one incident; its own document has all of them. */
const MAX_UPDATES = 5;

/** An incident that is open, on the page itself. @param now epoch ms */
export function openIncident(incident: PublicIncident, now: number, view: View): Html {
  const { id, name, state, startedAt, services, updates } = incident;
  const address = linkTo(view.links, `incidents/${id}`);
  const hidden = updates.length - MAX_UPDATES;
  return html`<section class="panel event ${state}">
<div class="between"><h2 class="title"><a class="quiet" href="${address}">${name}</a></h2><span class="muted">since ${time(startedAt, since(startedAt, now))}, ${durationText(now - startedAt)}</span></div>
${facts(state, services)}
${updateList(updates.slice(0, MAX_UPDATES), view.markdown, now)}
${hidden > 0 && html`<p><a href="${address}">All ${updates.length} updates</a></p>`}
</section>`;
}

/** Maintenance that runs, on the page itself. @param now epoch ms */
export function runningMaintenance(one: PublicMaintenance, now: number, view: View): Html {
  const { id, name, services, updates, description, startsAt, endsAt } = one;
  const address = linkTo(view.links, `maintenances/${id}`);
  return html`<section class="panel event maintenance">
<div class="between"><h2 class="title"><a class="quiet" href="${address}">${name}</a></h2><span class="muted">${span(startsAt, endsAt)}</span></div>
${facts('maintenance', services)}
${description && html`<div class="prose">${view.markdown.render(description)}</div>`}
${updateList(updates.slice(0, MAX_UPDATES), view.markdown, now)}
</section>`;
}

/** A state as icon and word, and what it concerns. */
export function facts(
  state: PublicState,
  services: readonly Named[],
  word: string = STATE_WORDS[state],
): Html {
  const names = services.map(({ name }) => name).join(', ');
  return html`<p class="facts"><span class="word ${state}">${icon(state)}${word}</span>${
    names !== '' && html`<span>${names}</span>`
  }</p>`;
}

type Update = PublicUpdate<IncidentStatus | MaintenanceStatus>;

/** What was said, newest first. @param now epoch ms */
export function updateList(updates: readonly Update[], markdown: Markdown, now: number) {
  return (
    updates.length > 0 &&
    html`<ol class="updates">${updates.map(
      ({ id, status, description, publishedAt }) =>
        html`<li id="update-${id}"><h3>${STATUS_WORDS[status]} ${time(publishedAt, since(publishedAt, now))}</h3><div class="prose">${markdown.render(description)}</div></li>`,
    )}</ol>`
  );
}

const DAY_MS = 86_400_000;

/** Of today the clock is enough, of this year the day. */
function since(ms: number, now: number) {
  return now - ms < DAY_MS / 2 ? 'clock' : now - ms < 300 * DAY_MS ? 'moment' : 'full';
}

/** A time from one moment to another, epoch ms. */
export function span(startsAt: number, endsAt: number): Html {
  const isShort = endsAt - startsAt < DAY_MS;
  return html`${time(startsAt, 'moment')} – ${time(endsAt, isShort ? 'clock' : 'moment')}`;
}

/** A list of incidents that are over, newest first. */
export function incidentRows(incidents: readonly PublicIncident[], view: View): Html {
  return html`<ul class="panel rows">${incidents.map((incident) => {
    const { id, name, state, services, startedAt, endedAt } = incident;
    return html`<li><div class="between"><a class="quiet" href="${linkTo(view.links, `incidents/${id}`)}">${name}</a><span class="muted">${
      endedAt === null
        ? html`since ${time(startedAt, 'moment')}`
        : html`${time(startedAt, 'moment')}, ${durationText(endedAt - startedAt)}`
    }</span></div>${facts(state, services)}</li>`;
  })}</ul>`;
}

/** A list of maintenance that is to come. */
export function maintenanceRows(some: readonly PublicMaintenance[], view: View): Html {
  return html`<ul class="panel rows">${some.map(
    ({ id, name, services, startsAt, endsAt, status }) =>
      html`<li><div class="between"><a class="quiet" href="${linkTo(view.links, `maintenances/${id}`)}">${name}</a><span class="muted">${span(startsAt, endsAt)}</span></div><p class="facts"><span class="word maintenance">${icon('maintenance')}${STATUS_WORDS[status]}</span>${
        services.length > 0 &&
        html`<span>${services.map((service) => service.name).join(', ')}</span>`
      }</p></li>`,
  )}</ul>`;
}

import { DAY_MS } from '#shared/maintenance/local-time.ts';
import {
  type ExceptionalDay,
  PUBLIC_STATES,
  type PublicService,
} from '#shared/status-pages/public-page.ts';
import { SHOWN_DAYS } from '#shared/status-pages/uptime.ts';
import { minutesText } from './durations.ts';
import { type Html, html, trusted } from './html.ts';
import { STATE_WORDS } from './icons.ts';
import { utcFormat } from './times.ts';

/** A day is as wide as a tile of its pattern, a bar and the gap to the next one. */
const TILE = 8;
const HEIGHT = 28;
const WIDTH = SHOWN_DAYS * TILE;

const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 80;
const MAX_SAID = 5;

/** The tiles that every picture of days is filled with: once in each document that has one. */
export const DAY_PATTERNS: Html = trusted(
  `<svg class="sprite" width="0" height="0" aria-hidden="true">${[...PUBLIC_STATES, 'empty']
    .map(
      (state) =>
        `<pattern id="days-${state}" width="${TILE}" height="${HEIGHT}" patternUnits="userSpaceOnUse"><rect class="bar-${state}" x="1" ${state === 'works' || state === 'empty' ? `y="2" height="${HEIGHT - 4}"` : `height="${HEIGHT}"`} width="${TILE - 2}" rx="1.5"/></pattern>`,
    )
    .join('')}</svg>`,
);

/**
 * The 90 days of a service: one element for all ordinary ones, and one for each run of days that were alike.
 * @param firstDay epoch ms
 */
export function serviceDays({ name, uptime, emptyDays, days }: PublicService, firstDay: number) {
  const runs = runsOf(days);
  const label = [
    `${name}: ${percent(uptime)} % of ${SHOWN_DAYS} days.`,
    ...runs.slice(-MAX_SAID).map((run) => `${dates(run, firstDay)}: ${run.text.split('\n')[0]}.`),
  ].join(' ');
  const from = new Date(firstDay).toISOString().slice(0, 10);
  return html`<div class="days"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}" data-from="${from}"${emptyDays > 0 && html` data-empty="${emptyDays}"`}>${
    emptyDays > 0 && bar(0, emptyDays, 'empty')
  }${bar(emptyDays, SHOWN_DAYS - emptyDays, 'works')}${runs.map((run) =>
    bar(run.day, run.length, run.state, `${dates(run, firstDay)}\n${run.text}`),
  )}</svg></div>`;
}

function bar(day: number, length: number, state: string, title?: string): Html {
  return html`<rect x="${day * TILE}" width="${length * TILE}" height="${HEIGHT}" fill="url(#days-${state})">${
    title && html`<title>${title}</title>`
  }</rect>`;
}

interface Run extends ExceptionalDay {
  length: number;
  text: string;
}

/** Days that follow one another and are alike, as one. */
function runsOf(days: readonly ExceptionalDay[]): Run[] {
  const runs: Run[] = [];
  for (const day of days) {
    const text = textOf(day);
    const last = runs.at(-1);
    const isAlike = last?.day === day.day - (last?.length ?? 0) && last.state === day.state;
    if (last !== undefined && isAlike && last.text === text) last.length += 1;
    else runs.push({ ...day, length: 1, text });
  }
  return runs;
}

/** What happened, then the names of what it was. */
function textOf({ state, minutesDown, names }: ExceptionalDay): string {
  const word = STATE_WORDS[state];
  const lasted = minutesDown === 0 ? word : `${word} ${timeOf(minutesDown)}`;
  const shown = names.slice(0, MAX_NAMES).map(shorten);
  const rest = names.length - shown.length;
  return [lasted, ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

const DAY_MINUTES = 1_440;

/** Also where several days are told as one. */
function timeOf(minutesDown: number): string {
  return minutesDown === DAY_MINUTES ? 'all day' : `for ${minutesText(minutesDown)}`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

const dateText = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

function dates({ day, length }: Run, firstDay: number): string {
  const first = dateText(firstDay + day * DAY_MS);
  return length === 1 ? first : `${first} – ${dateText(firstDay + (day + length - 1) * DAY_MS)}`;
}

/** Per cent with two decimals; 100 without. */
export function percent(uptime: number): string {
  return uptime === 100 ? '100' : uptime.toFixed(2);
}

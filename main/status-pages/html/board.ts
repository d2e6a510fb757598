import {
  type Board,
  type BoardIncident,
  type BoardRow,
  boardSentence,
} from '#shared/dashboards/board.ts';
import type { Dashboard } from '#shared/dashboards/dashboard.ts';
import { type Standing, worstStanding } from '#shared/results/standing.ts';
import { ASSETS } from '../assets/assets.ts';
import { boardIncidentList } from './board-incidents.ts';
import { figureNames, runFigures, runStrip } from './board-runs.ts';
import { frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import type { Markdown } from './markdown.ts';
import { time } from './times.ts';

/** The icon of each standing and its word, which says the same. */
const LOOKS = {
  passing: { shape: 'works', word: 'Passing' },
  degraded: { shape: 'degraded', word: 'Degraded' },
  failing: { shape: 'down', word: 'Failing' },
  unknown: { shape: 'unknown', word: 'Unknown' },
  paused: { shape: 'paused', word: 'Paused' },
} as const satisfies { [S in Standing]: { shape: Parameters<typeof icon>[0]; word: string } };

interface Setting {
  /** Where `assets/` is, from the page. */
  root: string;
  markdown: Markdown;
}

/** The public page of a dashboard as an HTML document. */
export function renderBoard(board: Board, { root, markdown }: Setting): string {
  const { dashboard, incidents } = board;
  const [past, open] = [true, false].map((isOver) =>
    incidents.filter((incident) => incident.isOver === isOver),
  ) as [BoardIncident[], BoardIncident[]];
  const { header, description, favicon, width } = dashboard;
  const style = html`<link rel="stylesheet" href="${root}assets/${ASSETS.board.name}">\n`;
  return frame({
    title: header,
    description,
    root,
    isUnlisted: true,
    head: html`${style}${favicon && html`<link rel="icon" href="${favicon}">\n`}`,
    header: brand(dashboard),
    main: html`<div class="board stack ${width === 'FULL' ? 'full' : 'wide'}">${[
      head(board),
      boardIncidentList('Incidents', open, markdown),
      rows(board),
      pages(board),
      boardIncidentList('Past incidents', past, markdown),
    ]}</div>`,
    footer: html`<span>Watchpost</span>`,
  }).text;
}

function brand({ showHeader, header, logo, link }: Dashboard): Html {
  if (!showHeader) return html``;
  const mark = logo ? html`<img src="${logo}" alt="${header}">` : html`${header}`;
  return link
    ? html`<a class="brand" href="${link}" rel="noopener noreferrer">${mark}</a>`
    : html`<span class="brand">${mark}</span>`;
}

function head({ dashboard: { description }, counts, at }: Board): Html {
  const standings = (Object.keys(counts) as Standing[]).filter((standing) => counts[standing] > 0);
  const { shape } = LOOKS[worstStanding(standings)];
  return html`<div class="state">${icon(shape)}<h1>${boardSentence(counts)}</h1><p class="muted">${
    description && html`${description} · `
  }Updated at ${time(at, 'clock', true)}</p></div>`;
}

function rows({ rows: shown, dashboard }: Board): Html | false {
  if (shown.length === 0) return false;
  return html`<div class="panel checks"><div class="columns" aria-hidden="true"><span class="runs">Last runs</span><div class="figures">${figureNames(
    dashboard,
  ).map((name) => html`<span>${name}</span>`)}</div></div><ul aria-label="Checks">${shown.map(
    (row) => rowOf(row, dashboard),
  )}</ul></div>`;
}

function rowOf(row: BoardRow, dashboard: Dashboard): Html {
  const { name, group, tags, standing, summary } = row;
  const { shape, word } = LOOKS[standing];
  return html`<li class="check"><span class="word ${shape}">${icon(shape)}${word}</span><div class="what"><span class="called">${name}</span>${
    dashboard.showGroupNames && group !== null && html` <span class="muted">${group}</span>`
  }${!dashboard.hideTags && tagList(tags)}</div>${summary && runStrip(summary.bars)}${
    summary && runFigures(summary, dashboard)
  }</li>
`;
}

function tagList(tags: readonly string[]): Html | false {
  if (tags.length === 0) return false;
  return html`<ul class="tags" aria-label="Tags">${tags.map((tag) => html`<li class="tag">${tag}</li>`)}</ul>`;
}

function pages({ page, pages: count }: Board): Html | false {
  if (count === 1) return false;
  const link = (to: number, rel: string, word: string) =>
    html`<a class="button" rel="${rel}" href="?page=${to}">${word}</a>`;
  return html`<nav class="pages" aria-label="Pages">${page > 1 && link(page - 1, 'prev', 'Previous')}<span>Page ${page} of ${count}</span>${page < count && link(page + 1, 'next', 'Next')}</nav>`;
}

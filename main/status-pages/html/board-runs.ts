import type { Dashboard } from '#shared/dashboards/dashboard.ts';
import { MAX_BARS, type RunBar, type RunSummary } from '#shared/dashboards/run-summary.ts';
import { STANDINGS, type Standing } from '#shared/results/standing.ts';
import { type Html, html } from './html.ts';

/** One place of a bar, with the gap after it, and the height of all. */
const STEP = 8;
const BAR = 6;
const HEIGHT = 28;
const LEAST = 5;

const COLOURS = {
  passing: 'works',
  degraded: 'degraded',
  failing: 'down',
  unknown: 'unknown',
  paused: 'unknown',
} as const satisfies { [S in Standing]: string };

/**
 * The last runs as bars, the newest at the right: as high as each took, and of full height where a run
 * failed. Runs of one standing are one path, so that a long board stays small.
 */
export function runStrip(bars: readonly RunBar[]): Html {
  const longest = Math.max(1, ...bars.map(({ responseTime }) => responseTime));
  const first = MAX_BARS - bars.length;
  const places = bars.map((bar, index) => ({ ...bar, x: (first + index) * STEP }));
  const paths = STANDINGS.map((standing) => {
    const lines = places
      .filter((bar) => bar.standing === standing)
      .map(
        ({ x, responseTime }) =>
          `M${x} ${HEIGHT}v-${heightOf(standing, responseTime / longest)}h${BAR}V${HEIGHT}z`,
      );
    return lines.length > 0 && html`<path class="bar-${COLOURS[standing]}" d="${lines.join('')}"/>`;
  });
  return html`<svg class="runs" viewBox="0 0 ${MAX_BARS * STEP - (STEP - BAR)} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${inWords(bars)}">${paths}</svg>`;
}

function heightOf(standing: Standing, share: number): number {
  const isFull = standing === 'failing' || standing === 'unknown';
  return isFull ? HEIGHT : Math.round(LEAST + (HEIGHT - LEAST) * share);
}

function inWords(bars: readonly RunBar[]): string {
  const counts = STANDINGS.map((standing) => {
    const count = bars.filter((bar) => bar.standing === standing).length;
    return count > 0 && `${count} ${standing}`;
  });
  return `Last ${bars.length} runs: ${counts.filter(Boolean).join(', ')}`;
}

/** Each figure with what the dashboard calls it; those that it does not show are left out. */
const FIGURES = [
  { name: '24 h', isShown: () => true, value: ({ availability }) => percent(availability) },
  { name: 'p95', isShown: ({ showP95 }) => showP95, value: ({ p95 }) => duration(p95) },
  { name: 'p99', isShown: ({ showP99 }) => showP99, value: ({ p99 }) => duration(p99) },
] as const satisfies {
  name: string;
  isShown(dashboard: Shows): boolean;
  value(summary: RunSummary): string;
}[];
type Shows = Pick<Dashboard, 'showP95' | 'showP99'>;

export function figureNames(dashboard: Shows): string[] {
  return FIGURES.filter(({ isShown }) => isShown(dashboard)).map(({ name }) => name);
}

/** Availability of a day, and how long runs took. */
export function runFigures(summary: RunSummary, dashboard: Shows): Html {
  const shown = FIGURES.filter(({ isShown }) => isShown(dashboard));
  return html`<dl class="figures">${shown.map(
    ({ name, value }) => html`<div><dt>${name}</dt><dd>${value(summary)}</dd></div>`,
  )}</dl>`;
}

/** Never rounded up: 100 % stands for no failure at all. */
function percent(value: number | null): string {
  return value === null ? '–' : `${Math.floor(value * 100) / 100} %`;
}

function duration(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

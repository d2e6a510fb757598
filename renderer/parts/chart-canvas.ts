import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface ChartLine {
  label: string;
  /** A token of the theme, such as `--chart-line`. */
  colour: string;
  /** One for each time; null where there is none. */
  values: readonly (number | null)[];
}

/** A time that is marked over its whole height. Epoch ms. */
export interface ChartSpan {
  from: number;
  to: number;
  label: string;
}

export interface ChartOptions {
  /** Epoch ms. */
  from: number;
  to: number;
  times: readonly number[];
  lines: readonly ChartLine[];
  /** The first two lines are the ends of a band: the lower one, and the upper one, which has no line. */
  isBand?: boolean;
  /** Each line stands on the ones before it. */
  isStacked?: boolean;
  spans?: readonly ChartSpan[];
  height: number;
  format(value: number): string;
  /** The place of the time that the pointer is on; null when it leaves. */
  onPoint(index: number | null, left: number): void;
}

/** Px at the end of a chart where its scale is written. */
export const SCALE_WIDTH = 60;
const TIMES_HEIGHT = 28;
const FONT = '12px system-ui, sans-serif';
const TOP = 22;

/** Draws a chart in an element, as wide as it is. Returns the way to remove it. */
export function drawChart(host: HTMLElement, options: ChartOptions): () => void {
  const data = [options.times, ...valuesOf(options)] as unknown as uPlot.AlignedData;
  const width = () => Math.max(1, host.clientWidth);
  let plot = new uPlot(settingsOf(host, options, width()), data, host);
  const resized = new ResizeObserver(() => {
    plot.setSize({ width: width(), height: options.height });
  });
  resized.observe(host);
  // A canvas has no variables: its colours are read again where the theme changes.
  const recolour = () => {
    plot.destroy();
    plot = new uPlot(settingsOf(host, options, width()), data, host);
  };
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', recolour);
  const themed = new MutationObserver(recolour);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    resized.disconnect();
    themed.disconnect();
    scheme.removeEventListener('change', recolour);
    plot.destroy();
  };
}

function valuesOf({ lines, isStacked = false }: ChartOptions): (number | null)[][] {
  if (!isStacked) return lines.map(({ values }) => [...values]);
  const sums: number[] = [];
  return lines.map(({ values }) =>
    values.map((value, index) => {
      if (value === null) return null;
      const sum = (sums[index] ?? 0) + value;
      sums[index] = sum;
      return sum;
    }),
  );
}

function settingsOf(host: HTMLElement, options: ChartOptions, width: number): uPlot.Options {
  const { from, to, height, format, isBand = false, isStacked = false, lines } = options;
  const colour = coloursOf(host);
  const axis = {
    stroke: colour('--faint'),
    font: FONT,
    ticks: { show: false },
    grid: { stroke: colour('--faint-line'), width: 1 },
  };
  return {
    width,
    height,
    ms: 1,
    padding: [TOP, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: true, range: [from, to] },
      y: { range: (_plot, _min, max) => [0, (max || 1) * 1.08] },
    },
    axes: [
      {
        ...axis,
        size: TIMES_HEIGHT,
        gap: 8,
        grid: { show: false },
        values: timesShown,
        incrs: TIME_STEPS,
        space: 72,
      },
      {
        ...axis,
        side: 1,
        size: SCALE_WIDTH,
        gap: 8,
        space: 40,
        values: (_plot, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [
      {},
      ...lines.map((line, index) => ({
        label: line.label,
        stroke: isBand && index === 1 ? 'transparent' : colour(line.colour),
        width: isBand && index === 1 ? 0 : 1.5,
        points: { show: options.times.length < 3, size: 5 },
        ...(isStacked && index === 0 && { fill: faded(colour(line.colour)) }),
      })),
    ],
    bands: [
      ...(isBand ? [{ series: [2, 1] as [number, number], fill: colour('--chart-band') }] : []),
      ...(isStacked
        ? lines.slice(1).map((line, index) => ({
            series: [index + 2, index + 1] as [number, number],
            fill: faded(colour(line.colour)),
          }))
        : []),
    ],
    hooks: {
      drawClear: [(plot) => drawSpans(plot, options, colour('--selected'), colour('--muted'))],
      setCursor: [
        ({ cursor: { idx, left } }) =>
          options.onPoint(left === undefined || left < 0 ? null : (idx ?? null), left ?? 0),
      ],
    },
  };
}

function drawSpans(plot: uPlot, { spans = [] }: ChartOptions, ground: string, ink: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  for (const { from, to, label } of spans) {
    const [left, right] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)];
    ctx.fillStyle = ground;
    ctx.fillRect(left, 0, Math.max(1, right - left), bbox.top + bbox.height);
    ctx.fillStyle = ink;
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.fillText(label, Math.max(left, bbox.left) + 6 * devicePixelRatio, 16 * devicePixelRatio);
  }
  ctx.restore();
}

/** What tokens are now, as a canvas takes them. Each is read once: the browser computes styles to tell. */
function coloursOf(host: HTMLElement): (token: string) => string {
  const known = new Map<string, string>();
  const read = (token: string) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${token})`;
    host.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    known.set(token, color);
    return color;
  };
  return (token) => known.get(token) ?? read(token);
}

function faded(colour: string): string {
  return colour.replace(/^rgb\((.*)\)$/, 'rgb($1 / 45%)').replaceAll(',', ' ');
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Between two times that are shown: labels have no seconds, so that shorter steps would say one twice. */
const TIME_STEPS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168, 360].map((hours) => hours * HOUR_MS),
];
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Px of half a label: it would be cut off nearer to the edge. */
const HALF_LABEL = 18;

/** Days at midnight, else times. */
function timesShown(plot: uPlot, splits: number[], _axis: number, _space: number, every: number) {
  return splits.map((at) => {
    if (plot.valToPos(at, 'x') < HALF_LABEL) return '';
    const isMidnight = new Date(at).getHours() === 0 && new Date(at).getMinutes() === 0;
    return every >= 24 * HOUR_MS || isMidnight ? DAY.format(at) : TIME.format(at);
  });
}

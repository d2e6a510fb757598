import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ChartOptions } from './chart-canvas.ts';
import { moment } from './format.ts';
import { useNear } from './near.ts';
import styles from './time-chart.module.css';

/** Something that happened at a moment, such as a failed run: mostly a link. */
export interface ChartMark {
  /** Epoch ms. */
  at: number;
  key: string;
  node: ReactNode;
}

interface TimeChartProps extends Omit<ChartOptions, 'onPoint'> {
  /** What it shows, for those who do not see it. */
  label: string;
  marks?: readonly ChartMark[];
}

/** A chart over time. What draws it is loaded when the first one is shown. */
export function TimeChart({ label, marks = [], ...options }: TimeChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<{ index: number; left: number } | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const drawn = JSON.stringify([options.from, options.to, options.lines, options.spans]);
  const isNear = useNear(host);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is drawn again where its numbers are others
  useEffect(() => {
    if (!isNear) return undefined;
    let remove: (() => void) | undefined;
    let isGone = false;
    void import('./chart-canvas.ts').then(({ drawChart }) => {
      if (isGone || host.current === null) return;
      remove = drawChart(host.current, {
        ...latest.current,
        onPoint: (index, left) => setPointed(index === null ? null : { index, left }),
      });
    });
    return () => {
      isGone = true;
      remove?.();
    };
  }, [drawn, isNear]);
  const { from, to, height } = options;
  return (
    <div className={styles.chart} style={{ height }}>
      <div ref={host} className={styles.canvas} role="img" aria-label={label} />
      {marks.length > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrows lead from mark to mark, which are links
        <div className={styles.marks} onKeyDown={moveFocus}>
          {marks.map(({ key, at, node }) => (
            <div
              key={key}
              className={styles.mark}
              style={{ left: `${((at - from) / (to - from)) * 100}%` }}
            >
              {node}
            </div>
          ))}
        </div>
      )}
      {pointed !== null && <Pointed {...pointed} options={options} />}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + step];
  event.preventDefault();
  next?.focus();
}

function Pointed({
  index,
  left,
  options: { times, lines, format },
}: {
  index: number;
  left: number;
  options: Omit<ChartOptions, 'onPoint'>;
}) {
  const at = times[index];
  if (at === undefined) return null;
  return (
    <div className={styles.pointed} style={{ left }} data-side={left > 240 ? 'start' : 'end'}>
      <div>{moment(at)}</div>
      {lines.map(({ label, colour, values }) => (
        <div key={label} className={styles.value}>
          <span className={styles.dot} style={{ background: `var(${colour})` }} />
          {label}
          <b>{typeof values[index] === 'number' ? format(values[index]) : '–'}</b>
        </div>
      ))}
    </div>
  );
}

/** What the colours of a chart mean. */
export function ChartLegend({ lines }: { lines: readonly { label: string; colour: string }[] }) {
  return (
    <ul className={styles.legend}>
      {lines.map(({ label, colour }) => (
        <li key={label}>
          <span className={styles.dot} style={{ background: `var(${colour})` }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

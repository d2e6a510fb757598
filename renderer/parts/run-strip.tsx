import { type PointerEvent, useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import type { RunState } from '#shared/summaries/check-state.ts';
import type { CodedRun } from '#shared/summaries/run-code.ts';
import styles from './run-strip.module.css';

interface RunStripProps {
  /** Oldest first. */
  runs: readonly CodedRun[];
  /** How many bars have room; those that are missing are free at the left. */
  places?: number;
  height?: number;
  /** As wide as what it stands in, else as wide as its bars. */
  isWide?: boolean;
  /** Called with the run that the pointer is on, counted from the oldest; null when it leaves. */
  onPoint?(index: number | null): void;
}

const PITCH = 5.375;
const WIDTH = 3.5;
const LEAST_HEIGHT = 4;
const STATES: readonly RunState[] = ['passing', 'degraded', 'failing', 'inconclusive'];

/** The last runs as bars: their height tells the response time, their colour the state. Failed ones are full. */
export function RunStrip({
  runs,
  places = 40,
  height = 20,
  isWide = false,
  onPoint,
}: RunStripProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = runs.slice(-places);
  const most = Math.max(1, ...shown.map(({ responseTime }) => responseTime));
  const first = places - shown.length;
  // Events of heartbeats take no time: all are alike.
  const isTimed = most > 1;
  const heightOf = ({ state, responseTime }: CodedRun) =>
    state === 'failing'
      ? height
      : LEAST_HEIGHT + (height - LEAST_HEIGHT) * (isTimed ? 0.9 * (responseTime / most) : 0.5);
  const point = (index: number | null) => {
    setPointed(index);
    onPoint?.(index === null ? null : index + runs.length - shown.length);
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * places) - first;
    point(index >= 0 && index < shown.length ? index : null);
  };
  const failed = shown.filter(({ state }) => state === 'failing').length;
  return (
    <svg
      className={styles.strip}
      width={isWide ? '100%' : places * PITCH}
      height={height}
      viewBox={`0 0 ${places * PITCH} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text.parts.runsSaid(shown.length, failed)}
      onPointerMove={move}
      onPointerLeave={() => point(null)}
    >
      {STATES.map((wanted) => {
        const bars = shown.flatMap((run, index) =>
          run.state === wanted ? [bar((first + index) * PITCH, height, heightOf(run))] : [],
        );
        return (
          bars.length > 0 && <path key={wanted} className={styles[wanted]} d={bars.join('')} />
        );
      })}
      {pointed !== null && (
        <rect
          className={styles.pointed}
          x={(first + pointed) * PITCH - (PITCH - WIDTH) / 2}
          width={PITCH}
          height={height}
        />
      )}
    </svg>
  );
}

function bar(x: number, height: number, tall: number): string {
  return `M${x.toFixed(2)} ${height}v${(-tall).toFixed(1)}h${WIDTH}v${tall.toFixed(1)}z`;
}

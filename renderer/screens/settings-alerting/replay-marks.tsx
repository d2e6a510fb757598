import { alertingText } from '#renderer/messages/alerting.ts';
import { alertState } from '#renderer/parts/told-list.tsx';
import type { PolicySummary } from '#shared/alerting/policy-summary.ts';
import styles from './alerting.module.css';

const words = alertingText.replay;
const WIDTH = 600;
const HEIGHT = 16;
/** Narrower is not seen. */
const LEAST = 2;

interface ReplayMarksProps {
  name: string;
  summary: PolicySummary;
  /** Epoch ms. */
  from: number;
  to: number;
}

/** The messages of a time as marks on a line: failing above the line's middle, all others below. */
export function ReplayMarks({ name, summary, from, to }: ReplayMarksProps) {
  const marks = new Map<string, { x: number; isFailing: boolean }>();
  for (const { at, type } of summary.notifications) {
    const place = ((Date.parse(at) - from) / (to - from)) * (WIDTH - LEAST);
    // Marks at the same place are one.
    const x = Math.round(place / LEAST) * LEAST;
    const isFailing = alertState(type) === 'failing';
    marks.set(`${x} ${isFailing}`, { x, isFailing });
  }
  return (
    <figure className={styles.marks}>
      <figcaption>{name}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.marks(name, summary.count)}
      >
        <rect className={styles.line} x={0} y={HEIGHT / 2} width={WIDTH} height={1} />
        {[...marks].map(([key, { x, isFailing }]) => (
          <rect
            key={key}
            className={isFailing ? styles.failing : styles.other}
            x={x}
            y={isFailing ? 0 : HEIGHT / 2 + 2}
            width={LEAST}
            height={HEIGHT / 2 - 2 + (isFailing ? 1 : 0)}
          />
        ))}
      </svg>
    </figure>
  );
}

import type { ReactNode } from 'react';
import { text } from '#renderer/messages/messages.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import { join } from './join.ts';
import styles from './state-icon.module.css';

export type { CheckState };

const STROKE = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const;
const ON_FILL = { ...STROKE, stroke: 'var(--panel)', strokeLinecap: 'round' } as const;

/** Each state has a shape of its own: none is told by its colour alone. */
const SHAPES: Record<CheckState | 'muted', ReactNode> = {
  failing: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m5.75 5.75 4.5 4.5m0-4.5-4.5 4.5" {...ON_FILL} />
    </>
  ),
  degraded: (
    <>
      <path
        d="M8 2 15 14H1Z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <path d="M8 6.5v3.5m0 1.75v.5" {...ON_FILL} />
    </>
  ),
  passing: (
    <>
      <circle cx="8" cy="8" r="6.25" {...STROKE} />
      <path
        d="m5.5 8.25 1.75 1.75 3.25-3.75"
        {...STROKE}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  inconclusive: (
    <rect x="2" y="2" width="12" height="12" rx="3" {...STROKE} strokeDasharray="3 2.2" />
  ),
  pending: (
    <circle cx="8" cy="8" r="6.25" {...STROKE} strokeDasharray="0.1 3.17" strokeLinecap="round" />
  ),
  paused: (
    <>
      <circle cx="8" cy="8" r="6.25" {...STROKE} />
      <path d="M6.5 6v4m3-4v4" {...STROKE} strokeLinecap="round" />
    </>
  ),
  muted: (
    <path
      d="M3.5 11.5h7.8M4.6 11.5V7.2A3.5 3.5 0 0 1 8 3.6c.6 0 1.2.2 1.7.5M11.4 7v2.6M6.9 13.5h2.2M2.5 2.5l11 11"
      {...STROKE}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};

/**
 * The icon of a state.
 *
 * @param isNamed false where its word stands beside it
 */
export function StateIcon({
  state,
  isNamed = true,
  size = 16,
}: {
  state: CheckState | 'muted';
  isNamed?: boolean;
  size?: number;
}) {
  const name = text.parts.states[state];
  return (
    <svg
      className={join(styles.icon, styles[state])}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      role="img"
      aria-hidden={!isNamed}
    >
      <title>{name}</title>
      {SHAPES[state]}
    </svg>
  );
}

import type { ReactNode } from 'react';
import { text } from '#renderer/messages/messages.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import { join } from './join.ts';
import styles from './state-badge.module.css';
import { StateIcon } from './state-icon.tsx';

/** A state with its icon and its word, or with more: `Failing for 14 min`. */
export function StateBadge({ state, children }: { state: CheckState; children?: ReactNode }) {
  return (
    <span className={join(styles.badge, styles[state])}>
      <StateIcon state={state} isNamed={false} />
      {children ?? text.parts.states[state]}
    </span>
  );
}

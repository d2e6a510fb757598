import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Says what belongs here and offers the one thing that begins it. */
export function EmptyState({
  title,
  text,
  action,
}: {
  title: string;
  text: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

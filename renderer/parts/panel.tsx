import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** A part of a screen with a border and a heading. It never stands in another one. */
export function Panel({
  title,
  note,
  children,
}: {
  title?: string;
  /** At the end of the heading: what the colours mean, when it was. */
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.panel} aria-label={title}>
      {title !== undefined && (
        <div className={styles.head}>
          <h2>{title}</h2>
          {note !== undefined && <div className={styles.note}>{note}</div>}
        </div>
      )}
      <div className={styles.body}>{children}</div>
    </section>
  );
}

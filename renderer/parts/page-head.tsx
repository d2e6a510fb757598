import type { ReactNode } from 'react';
import styles from './page-head.module.css';

/** The head of a screen: where it belongs, its heading, what it says, and what can be done. */
export function PageHead({
  above,
  title,
  below,
  actions,
}: {
  above?: ReactNode;
  title: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        {above !== undefined && <p className={styles.above}>{above}</p>}
        <h1>{title}</h1>
        {below !== undefined && <div className={styles.below}>{below}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

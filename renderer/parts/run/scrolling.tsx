import type { ReactNode } from 'react';
import styles from './run.module.css';

/** What may be wider than its place. It takes the focus, so that whoever has no mouse scrolls it by the arrow keys. */
export function Scrolling({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div className={styles.scroll} tabIndex={0}>
      {children}
    </div>
  );
}

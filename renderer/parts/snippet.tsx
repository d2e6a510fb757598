import type { ReactNode } from 'react';
import styles from './snippet.module.css';

/** Lines of code or of output. They scroll sideways, also by the arrow keys: the block takes the focus. */
export function Snippet({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className={styles.snippet} tabIndex={0}>
      {children}
    </pre>
  );
}

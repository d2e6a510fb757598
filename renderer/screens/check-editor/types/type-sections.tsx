import type { ReactNode } from 'react';
import styles from '../check-editor.module.css';

/** The sections that a type has of its own: they stand above those that all checks have. */
export function TypeSections({ children }: { children: ReactNode }) {
  return <div className={styles.typeSections}>{children}</div>;
}

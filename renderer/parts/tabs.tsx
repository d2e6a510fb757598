import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { join } from './join.ts';
import styles from './tabs.module.css';

/** Parts of a screen that stand in its address: links, so that each can be shared and opened beside it. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

/** One of them; `to` and `search` as of any link. The one whose address is open is marked. */
export const Tab = createLink(function LinkedTab({ className, ...props }: ComponentProps<'a'>) {
  return <a className={join(styles.tab, className)} {...props} />;
});

import type { ReactNode } from 'react';
import styles from './run.module.css';

/** Names with what is known of them; what is not known is left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (known.length === 0) return null;
  return (
    <dl className={styles.list}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

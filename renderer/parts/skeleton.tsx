import { text } from '#renderer/messages/messages.ts';
import { join } from './join.ts';
import styles from './skeleton.module.css';

/** Rows that are on their way, in the size of those that come; seen only where it takes over 150 ms. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <output className={styles.skeleton} aria-label={text.parts.loading}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike, and stay where they are
        <span key={index} className={styles.row}>
          <span className={styles.icon} />
          <span className={join(styles.line, styles.wide)} />
          <span className={join(styles.line, styles.end)} />
        </span>
      ))}
    </output>
  );
}

/** A part of a screen that is on its way. @param height of what comes, px */
export function SkeletonBlock({ height }: { height: number }) {
  return (
    <output className={styles.skeleton} style={{ height }} aria-label={text.parts.loading}>
      <span className={join(styles.line, styles.wide)} />
    </output>
  );
}

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { join } from '#renderer/parts/join.ts';
import { useFormAround } from './form.ts';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** What it is set to, in a sentence: it can be skipped where that is right. */
  summary: ReactNode;
  /** Of its members: it opens by itself where something is wrong with one. */
  paths: readonly string[];
  children: ReactNode;
}

/** A part of a form that is closed, as its defaults are good. */
export function Section({ title, summary, paths, children }: SectionProps) {
  const id = useId();
  const hasErrors = useFormAround().hasErrors(paths);
  const [isOpened, setOpened] = useState(false);
  const isOpen = isOpened || hasErrors;
  // What is mended does not close it under the hands of who mends it.
  useEffect(() => {
    if (hasErrors) setOpened(true);
  }, [hasErrors]);
  return (
    <div className={styles.section}>
      <h2 className={styles.head}>
        <button
          type="button"
          className={styles.button}
          aria-expanded={isOpen}
          aria-controls={`${id}-content`}
          onClick={() => setOpened(!isOpen)}
        >
          <ChevronRight
            size={16}
            strokeWidth={1.5}
            aria-hidden
            className={join(styles.arrow, isOpen && styles.open)}
          />
          <span className={styles.title}>{title}</span>
          <span className={styles.summary}>{summary}</span>
        </button>
      </h2>
      {isOpen && (
        <div id={`${id}-content`} className={styles.content}>
          {children}
        </div>
      )}
    </div>
  );
}

import { resultText } from '#renderer/messages/result.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import type { LogLine } from '#shared/playwright/detail.ts';
import type { JobLog } from '#shared/results/details.ts';
import styles from './run.module.css';

const words = resultText;
const PARTS = ['setup', 'request', 'teardown'] as const;

/** What a run did, line by line, with what its scripts wrote. */
export function JobLogPanel({ log }: { log: JobLog }) {
  const parts = PARTS.filter((part) => (log[part]?.length ?? 0) > 0);
  if (parts.length === 0) return null;
  return (
    <Panel title={words.log}>
      {parts.map((part) => (
        <div key={part}>
          {parts.length > 1 && <h3 className={styles.logPart}>{words.logParts[part]}</h3>}
          <LogLines lines={log[part] ?? []} />
        </div>
      ))}
    </Panel>
  );
}

export function LogLines({ lines }: { lines: readonly LogLine[] }) {
  const startedAt = lines[0]?.time ?? 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <ol className={styles.log} tabIndex={0} aria-label={words.log}>
      {lines.map(({ time, level, msg }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines stay where they are, and may be alike
        <li key={index} className={styles[level.toLowerCase()]}>
          <span className={styles.logTime}>{words.after(time - startedAt)}</span>
          <span className={styles.logLevel}>{level}</span>
          <span className={styles.logText}>{msg}</span>
        </li>
      ))}
    </ol>
  );
}

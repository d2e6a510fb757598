import { text } from '#renderer/messages/messages.ts';
import { resultText } from '#renderer/messages/result.ts';
import { milliseconds } from '#renderer/parts/format.ts';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import type { PageVisit } from '#shared/playwright/detail.ts';
import { type Score, VITALS, type Vital } from '#shared/playwright/web-vitals.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import styles from './run.module.css';
import { Scrolling } from './scrolling.tsx';

const words = resultText;

const ICONS: Readonly<Record<Score, CheckState>> = {
  GOOD: 'passing',
  NEEDS_IMPROVEMENT: 'degraded',
  POOR: 'failing',
};

/** The pages that a script opened, each with its web vitals and how good they are. */
export function PageVisits({ pages }: { pages: readonly PageVisit[] }) {
  return (
    <Scrolling>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.url}</th>
            {VITALS.map((name) => (
              <th key={name} scope="col" title={words.vitals[name]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pages.map(({ url, webVitals }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pages stay where they are, and may be alike
            <tr key={index}>
              <td className={styles.cut} title={url}>
                <code>{url}</code>
              </td>
              {VITALS.map((name) => (
                <td key={name}>
                  <VitalShown name={name} vital={webVitals[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function VitalShown({ name, vital }: { name: Vital; vital: PageVisit['webVitals'][Vital] }) {
  if (vital === undefined) return text.parts.none;
  const { score, value } = vital;
  return (
    <span className={styles.state}>
      <span role="img" aria-label={words.scores[score]} title={words.scores[score]}>
        <StateIcon state={ICONS[score]} isNamed={false} size={12} />
      </span>
      {name === 'CLS' ? value.toFixed(3) : milliseconds(value)}
    </span>
  );
}

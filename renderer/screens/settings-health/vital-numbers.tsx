import { healthText } from '#renderer/messages/appliance.ts';
import { text } from '#renderer/messages/messages.ts';
import { bytes, count, milliseconds } from '#renderer/parts/format.ts';
import type { VitalsSample } from '#shared/self-monitoring/vitals.ts';
import styles from './health-screen.module.css';
import { perSecond } from './per-second.ts';

const words = healthText.numbers;

/** What is asked first: does it keep up? Of the last sample. */
export function VitalNumbers({
  samples,
  everyMs,
}: {
  samples: readonly VitalsSample[];
  everyMs: number;
}) {
  const last = samples.at(-1);
  if (last === undefined) return <p className={styles.first}>{words.first}</p>;
  const skipped = samples.reduce((sum, sample) => sum + sample.skipped, 0);
  const { runsInFlight, recordsWaiting, notificationsPending } = last;
  const numbers: [string, string, string][] = [
    [words.runs, perSecond(last.runs, everyMs).toFixed(1), words.skipped(skipped)],
    [
      words.late,
      last.lateMs === null ? text.parts.none : milliseconds(last.lateMs),
      words.lateNote,
    ],
    [words.standstill, milliseconds(last.standstillMs), words.standstillNote],
    [
      words.queue,
      count(runsInFlight + recordsWaiting + notificationsPending),
      words.queueNote(count(runsInFlight), count(recordsWaiting), count(notificationsPending)),
    ],
    [words.memory, bytes(last.memoryBytes), words.memoryNote],
  ];
  return (
    <dl className={styles.numbers}>
      {numbers.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            <span>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

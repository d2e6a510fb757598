import type { ReactNode } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { count, milliseconds, percent } from '#renderer/parts/format.ts';
import { join } from '#renderer/parts/join.ts';
import styles from './numbers.module.css';
import type { PeriodNumbers } from './queries.ts';

const words = text.check.numbers;
const { none } = text.parts;

/** Four numbers of a period, each with how far it is from the period before. */
export function Numbers({ now, before }: { now: PeriodNumbers; before: PeriodNumbers }) {
  const points = (value: number) => (Math.round(value * 100) / 100).toFixed(2);
  return (
    <dl className={styles.numbers} title={words.before}>
      <OneNumber
        name={words.availability}
        value={now.availability === null ? none : percent(now.availability)}
        change={changeOf(now.availability, before.availability, points)}
        isBetterHigh
      />
      {(['p50', 'p95'] as const).map((name) => (
        <OneNumber
          key={name}
          name={words[name]}
          value={now[name] === null ? none : milliseconds(now[name])}
          change={changeOf(now[name], before[name], milliseconds)}
        />
      ))}
      <OneNumber
        name={words.failures}
        value={count(now.failed)}
        note={words.of(count(now.total))}
        change={before.total === 0 ? null : changeOf(now.failed, before.failed, count)}
      />
    </dl>
  );
}

interface ChangeShown {
  sign: 1 | -1;
  shown: string;
}

interface NumberProps {
  name: string;
  value: string;
  note?: ReactNode;
  change: ChangeShown | null;
  isBetterHigh?: boolean;
}

function OneNumber({ name, value, note, change, isBetterHigh = false }: NumberProps) {
  const isBetter = change !== null && (change.sign === 1) === isBetterHigh;
  return (
    <div className={styles.number}>
      <dt>{name}</dt>
      <dd>
        <span className={styles.value}>{value}</span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        {change !== null && (
          <span className={join(styles.change, isBetter ? styles.better : styles.worse)}>
            {change.sign === 1 ? '+' : '−'}
            {change.shown}
          </span>
        )}
      </dd>
    </div>
  );
}

function changeOf(
  now: number | null,
  before: number | null,
  show: (value: number) => string,
): ChangeShown | null {
  if (now === null || before === null) return null;
  const difference = now - before;
  const shown = show(Math.abs(difference));
  return shown === show(0) ? null : { sign: difference > 0 ? 1 : -1, shown };
}

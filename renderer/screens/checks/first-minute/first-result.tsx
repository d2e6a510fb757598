import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ShownCheck, ShownResult } from '#renderer/api/answers.ts';
import { firstMinuteText } from '#renderer/messages/alerting.ts';
import { milliseconds } from '#renderer/parts/format.ts';
import { StateBadge } from '#renderer/parts/state-badge.tsx';
import { Waterfall } from '#renderer/parts/waterfall.tsx';
import { phasesOf } from '#shared/results/phases.ts';
import { reasonOf } from '#shared/results/reason.ts';
import { type RunState, runState } from '#shared/summaries/check-state.ts';
import styles from './first-minute.module.css';
import { firstResultQuery } from './queries.ts';

const words = firstMinuteText;

/** How the first run ended, with its phases. */
export function FirstResult({ check }: { check: ShownCheck }) {
  const { data: result, error } = useQuery(firstResultQuery(check.id));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.step}>
      <h2 ref={heading} tabIndex={-1} className={styles.title}>
        {words.resultTitle(check.name)}
      </h2>
      <div aria-live="polite" className={styles.result}>
        {error?.message}
        {error === null && !result && <p className={styles.note}>{words.waiting}</p>}
        {result && <Result check={check} result={result} />}
      </div>
    </section>
  );
}

function Result({ check, result }: { check: ShownCheck; result: ShownResult }) {
  const state = runState(result);
  const phases = phasesOf(result);
  const reason = state === 'failing' || state === 'inconclusive' ? reasonOf(result) : undefined;
  return (
    <>
      <p className={styles.sentence}>
        <StateBadge state={state} /> {sentenceOf(state, result.responseTime)}
      </p>
      {reason !== undefined && <p className={styles.reason}>{reason}</p>}
      {phases.length > 0 && <Waterfall phases={phases} />}
      <p className={styles.note}>
        {'frequency' in check && check.frequency > 0 && `${words.every(check.frequency)} `}
        <Link
          to="/checks/$checkId/results/$resultId"
          params={{ checkId: check.id, resultId: result.id }}
        >
          {words.open}
        </Link>
      </p>
    </>
  );
}

function sentenceOf(state: RunState, responseTime: number | null): string {
  const time = milliseconds(responseTime ?? 0);
  switch (state) {
    case 'passing':
      return words.passing(time);
    case 'degraded':
      return words.degraded(time);
    default:
      return words[state];
  }
}

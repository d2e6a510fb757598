import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import type { ShownResult } from '#renderer/api/answers.ts';
import { ReadScreen } from '#renderer/app/read-screen.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { resultText } from '#renderer/messages/result.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { milliseconds, moment } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { Details } from '#renderer/parts/run/details.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import standing from '#renderer/parts/standing.module.css';
import { StateBadge } from '#renderer/parts/state-badge.tsx';
import { Ago, Time } from '#renderer/parts/time.tsx';
import { reasonOf } from '#shared/results/reason.ts';
import { runState } from '#shared/summaries/check-state.ts';
import { Attempts, useAttempts } from './attempts.tsx';
import { Comparison, useCompared } from './comparison.tsx';
import { assetsQuery, checkQuery, resultQuery } from './queries.ts';
import styles from './result-screen.module.css';

const route = getRouteApi('/shell/checks/$checkId/results/$resultId');
const words = resultText;
const HEAD_HEIGHT = 120;
const PARTS_HEIGHT = 600;
/** The types whose runs leave files. */
const SCRIPTED: ReadonlySet<string> = new Set(['BROWSER', 'MULTI_STEP', 'PLAYWRIGHT']);

/** One run: why it ended so, what changed, and all that it found. */
export function ResultScreen() {
  const { checkId, resultId } = route.useParams();
  const read = useQuery(resultQuery(checkId, resultId));
  useTitle(read.data && words.title(read.data.name));
  return (
    <ReadScreen read={read} height={HEAD_HEIGHT}>
      {(result) => <Loaded key={resultId} result={result} />}
    </ReadScreen>
  );
}

function Loaded({ result }: { result: ShownResult }) {
  const { checkId } = result;
  const { data: check } = useQuery(checkQuery(checkId));
  // What comes late stands above the rest, which would move.
  const isCompared = !useCompared(result).isComing;
  // Its parts are much to draw, and are drawn in slices.
  const isComing = useDeferredValue(useAttempts(result).isComing || !isCompared);
  const { data: left } = useQuery({
    ...assetsQuery(checkId, result.id),
    enabled: SCRIPTED.has(result.checkType),
  });
  return (
    <div className={styles.screen}>
      <PageHead
        above={
          <>
            <Link to="/">{text.checks.title}</Link>
            {' / '}
            <Link to="/checks/$checkId" params={{ checkId }}>
              {result.name}
            </Link>
            {' / '}
            <Link to="/checks/$checkId" params={{ checkId }} search={{ tab: 'runs' }}>
              {words.runs}
            </Link>
          </>
        }
        title={words.heading(moment(Date.parse(result.startedAt ?? result.created_at)))}
        below={<Standing result={result} />}
        actions={
          <ButtonLink to="/checks/$checkId" params={{ checkId }}>
            {words.toCheck}
          </ButtonLink>
        }
      />
      {isComing ? (
        <SkeletonBlock height={PARTS_HEIGHT} />
      ) : (
        <div className={styles.parts}>
          <Comparison result={result} />
          <Attempts result={result} />
          <Details
            result={result}
            check={check?.checkType === 'API' ? check : undefined}
            assets={left?.assets}
          />
        </div>
      )}
    </div>
  );
}

function Standing({ result }: { result: ShownResult }) {
  const { startedAt, created_at, runLocation, responseTime, attempts, resultType } = result;
  const state = runState(result);
  const reason = reasonOf(result);
  const { failure } = result;
  return (
    <>
      <div className={standing.standing}>
        <StateBadge state={state}>{words.states[state]}</StateBadge>
        {reason !== undefined && <strong className={styles.reason}>{reason}</strong>}
      </div>
      {failure !== null && reason !== failure.message && (
        <p className={styles.sentence}>{failure.message}</p>
      )}
      <p className={styles.facts}>
        <Time at={startedAt ?? created_at} /> (<Ago at={startedAt ?? created_at} />) ·{' '}
        {locationName(runLocation)} · {milliseconds(responseTime)}
        {resultType === 'ATTEMPT' && ` · ${words.attempt(attempts + 1)}`}
        {resultType === 'FINAL' && attempts > 0 && ` · ${words.retried(attempts)}`}
        {failure !== null && (
          <>
            {' · '}
            <code>{failure.cause}</code>
          </>
        )}
      </p>
    </>
  );
}

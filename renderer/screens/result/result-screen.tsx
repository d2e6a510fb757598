import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ShownResult } from '#renderer/api/answers.ts';
import { ApiProblem } from '#renderer/api/problem.ts';
import { NotFound } from '#renderer/app/not-found.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { resultText } from '#renderer/messages/result.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { milliseconds, moment } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { Details } from '#renderer/parts/run/details.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { StateBadge } from '#renderer/parts/state-badge.tsx';
import { Ago, Time } from '#renderer/parts/time.tsx';
import { reasonOf } from '#shared/results/reason.ts';
import { runState } from '#shared/summaries/check-state.ts';
import { Attempts } from './attempts.tsx';
import { Comparison } from './comparison.tsx';
import { assetsQuery, checkQuery, resultQuery } from './queries.ts';
import styles from './result-screen.module.css';

const route = getRouteApi('/shell/checks/$checkId/results/$resultId');
const words = resultText;
const HEAD_HEIGHT = 120;
/** The types whose runs leave files. */
const SCRIPTED: ReadonlySet<string> = new Set(['BROWSER', 'MULTI_STEP', 'PLAYWRIGHT']);

/** One run: why it ended so, what changed, and all that it found. */
export function ResultScreen() {
  const { checkId, resultId } = route.useParams();
  const { data: result, error, refetch } = useQuery(resultQuery(checkId, resultId));
  useTitle(result && words.title(result.name));
  if (result !== undefined) return <Loaded key={resultId} result={result} />;
  if (error instanceof ApiProblem && [400, 404].includes(error.status)) return <NotFound />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  return <SkeletonBlock height={HEAD_HEIGHT} />;
}

function Loaded({ result }: { result: ShownResult }) {
  const { checkId } = result;
  const { data: check } = useQuery(checkQuery(checkId));
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
      <div className={styles.parts}>
        <Comparison result={result} />
        <Attempts result={result} />
        <Details
          result={result}
          check={check?.checkType === 'API' ? check : undefined}
          assets={left?.assets}
        />
      </div>
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
      <div className={styles.standing}>
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

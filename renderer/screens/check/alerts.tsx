import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answer } from '#renderer/api/client.ts';
import { text } from '#renderer/messages/messages.ts';
import line from '#renderer/parts/alert-line.module.css';
import { Button } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { join } from '#renderer/parts/join.ts';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { alertState, ToldList } from '#renderer/parts/told-list.tsx';
import styles from './alerts.module.css';
import { alertsQuery } from './queries.ts';

const words = text.check.alerts;

type ToldAlert = Answer<'GET /app/check-alerts'>[number];

/** What was raised, newest first, and who was told. */
export function Alerts({ checkId }: { checkId: string }) {
  const query = useInfiniteQuery(alertsQuery(checkId));
  const { data, error } = query;
  if (data === undefined) {
    if (error !== null) return <Failed error={error} onRetry={() => void query.refetch()} />;
    return <SkeletonRows count={6} />;
  }
  const alerts = data.pages.flat();
  if (alerts.length === 0) return <EmptyState title={words.emptyTitle} text={words.emptyText} />;
  return (
    <>
      <ol className={styles.alerts} aria-label={words.label}>
        {alerts.map((alert) => (
          <Alert key={alert.id} checkId={checkId} alert={alert} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
          {words.more}
        </Button>
      )}
    </>
  );
}

function Alert({ checkId, alert }: { checkId: string; alert: ToldAlert }) {
  const { alertType, error, checkResultId, told, withheld, created_at } = alert;
  return (
    <li className={join(line.alert, styles.alert)}>
      <StateIcon state={alertState(alertType)} isNamed={false} />
      <div className={join(line.words, styles.words)}>
        <p>
          <b>{text.parts.alerts.types[alertType]}</b>
          {error !== null && <span className={line.error}>{error}</span>}
        </p>
        <ToldList told={told} withheld={withheld} />
      </div>
      <div className={line.end}>
        <Time at={created_at} />
        {checkResultId !== null && (
          <Link
            to="/checks/$checkId/results/$resultId"
            params={{ checkId, resultId: checkResultId }}
          >
            {words.openRun}
          </Link>
        )}
      </div>
    </li>
  );
}

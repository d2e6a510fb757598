import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answer } from '#renderer/api/client.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { ALERT_SUBJECTS, type AlertSubject } from '#shared/alerting/alert-type.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import styles from './alerts.module.css';
import { alertsQuery } from './queries.ts';

const words = text.check.alerts;

type ToldAlert = Answer<'GET /app/check-alerts'>[number];

const ICONS: Readonly<Record<AlertSubject, CheckState>> = {
  failing: 'failing',
  degraded: 'degraded',
  passing: 'passing',
  expiry: 'degraded',
  nothing: 'inconclusive',
};

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
    <li className={styles.alert}>
      <StateIcon state={ICONS[ALERT_SUBJECTS[alertType]]} isNamed={false} />
      <div className={styles.words}>
        <p>
          <b>{words.types[alertType]}</b>
          {error !== null && <span className={styles.error}>{error}</span>}
        </p>
        {withheld !== undefined && <p className={styles.told}>{words.withheld[withheld]}</p>}
        <ul>
          {told.map((one) => (
            <li key={one.id} className={styles.told}>
              <StateIcon state={toldState(one.status)} isNamed={false} size={12} />
              {words.statuses[one.status]} {channelName(one)}
              {one.notificationResult !== null && (
                <span className={styles.outcome}>{one.notificationResult}</span>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.end}>
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

function toldState(status: ToldAlert['told'][number]['status']): CheckState {
  if (status === 'SUCCESS') return 'passing';
  return status === 'IN_PROGRESS' ? 'pending' : 'failing';
}

/** What people call it, else whom it reaches. */
function channelName({ type, alertConfig, alertChannelId }: ToldAlert['told'][number]): string {
  const { name, address, number, channelName: room } = alertConfig;
  const known = [name, address, room, number].find((one) => typeof one === 'string' && one !== '');
  return known === undefined ? `${type} ${alertChannelId}` : String(known);
}

import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '#renderer/api/client.ts';
import { useSummary } from '#renderer/api/summary.ts';
import { channelsPageText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { moment } from '#renderer/parts/format.ts';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { SwitchField } from '#renderer/parts/switch.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import { sentState } from '#renderer/parts/told-list.tsx';
import type { AlertNotification } from '#shared/notifications/alert-notification.ts';
import styles from './channels.module.css';
import { logQuery } from './queries.ts';

const words = channelsPageText.log;
const route = getRouteApi('/shell/settings/channels/$channelId');
const HEADS = [{ label: words.time }, { label: words.about }, { label: words.outcome }];

/** What a channel was sent and what came of it, newest first. */
export function DeliveryLog({ channelId }: { channelId: number }) {
  const { failed } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(logQuery(channelId, failed));
  const { data, error } = query;
  const lines = data?.pages.flatMap((page) => page.lines) ?? [];
  const before = data?.pages.at(-1)?.from;
  return (
    <div className={styles.log}>
      <SwitchField
        label={words.failed}
        isOn={failed === true}
        onChange={(isOn) =>
          void navigate({
            search: (now) => ({ ...now, failed: isOn ? true : undefined }),
            replace: true,
          })
        }
      />
      {data === undefined && error === null && <SkeletonRows count={6} />}
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void query.refetch()} />
      )}
      {data !== undefined && lines.length === 0 && (
        <EmptyState title={words.emptyTitle} text={words.emptyText} />
      )}
      {lines.length > 0 && (
        <Table label={words.label} heads={HEADS}>
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </Table>
      )}
      {before !== undefined && (
        <Button
          className={styles.earlier ?? ''}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.earlier(
            moment(Date.parse(lines.at(-1)?.timestamp ?? new Date(before).toISOString())),
          )}
        </Button>
      )}
    </div>
  );
}

function Line({ line }: { line: AlertNotification }) {
  const { id, status, notificationResult, timestamp, digestId } = line;
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () =>
      api('POST /app/alert-notifications/{id}/resend', { params: { id }, body: {} }),
    onSuccess: () => toast(words.resent),
    onError: toastFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  });
  const said = [
    words.statuses[status],
    notificationResult,
    digestId !== undefined && words.inDigest,
  ].filter(Boolean);
  return (
    <tr>
      <Cell>
        <span className={styles.time}>
          <Time at={timestamp} />
        </span>
      </Cell>
      <Cell>
        <span className={styles.about}>
          <About line={line} />
        </span>
      </Cell>
      <Cell>
        <div className={styles.status}>
          <span className={styles.said}>
            <StateIcon state={sentState(status)} isNamed={false} size={14} />
            <span>{said.join(' · ')}</span>
          </span>
          <Button kind="quiet" disabled={resend.isPending} onClick={() => resend.mutate()}>
            {words.resend}
          </Button>
        </div>
      </Cell>
    </tr>
  );
}

function About({ line: { checkId, checkResultId } }: { line: AlertNotification }) {
  const summary = useSummary();
  if (checkId === undefined) return words.several;
  const known = summary.kind === 'ready' ? summary.known.checks.get(checkId) : undefined;
  if (known === undefined) return words.gone;
  return checkResultId === undefined ? (
    <Link to="/checks/$checkId" params={{ checkId }}>
      {known.name}
    </Link>
  ) : (
    <Link to="/checks/$checkId/results/$resultId" params={{ checkId, resultId: checkResultId }}>
      {known.name}
    </Link>
  );
}

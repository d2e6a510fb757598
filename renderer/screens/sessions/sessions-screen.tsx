import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLive } from '#renderer/api/live.ts';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { join } from '#renderer/parts/join.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import row from '#renderer/parts/row.module.css';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Ago } from '#renderer/parts/time.tsx';
import { hasEnded } from '#shared/sessions/check-session.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import type { BatchSummary } from '#shared/summaries/session-summary.ts';
import { batchesQuery } from './queries.ts';
import styles from './sessions-screen.module.css';

const words = text.sessions;

/** What was triggered lately, and what came of it. */
export function SessionsScreen() {
  useTitle(words.title);
  const { data, error, refetch } = useQuery(batchesQuery);
  useFollowedEnds();
  return (
    <>
      <PageHead title={words.title} below={words.text} />
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows count={8} />}
      {data?.length === 0 && (
        <EmptyState
          title={words.emptyTitle}
          text={words.emptyText}
          action={
            <ButtonLink kind="primary" to="/">
              {words.toChecks}
            </ButtonLink>
          }
        />
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles.list} aria-label={words.list}>
          {data.map((batch) => (
            <Batch key={batch.id} batch={batch} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Once in this time, however many sessions end. */
const READ_MS = 1_000;

/** Counts change as sessions end. */
function useFollowedEnds(): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((event) => {
    if (event.kind !== 'session' || !hasEnded(event.session.status)) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries(batchesQuery);
    }, READ_MS);
  });
}

const KINDS = ['open', 'failed', 'degraded', 'passed', 'cancelled'] as const;

function Batch({ batch }: { batch: BatchSummary }) {
  const { id, names, count, runSource, createdAt } = batch;
  const counts = KINDS.filter((kind) => batch[kind] > 0).map((kind) =>
    words.counts[kind](batch[kind]),
  );
  return (
    <li className={styles.batch}>
      <StateIcon state={stateOf(batch)} />
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId: id }}
        className={join(row.name, styles.names)}
      >
        {words.more(names.join(', '), count - names.length)}
      </Link>
      <span className={styles.counts}>{counts.join(', ')}</span>
      <span className={styles.source}>{words.sources[runSource]}</span>
      <span className={styles.time}>
        <Ago at={createdAt} />
      </span>
    </li>
  );
}

function stateOf({ failed, degraded, open, passed }: BatchSummary): CheckState {
  if (failed > 0) return 'failing';
  if (degraded > 0) return 'degraded';
  if (open > 0) return 'pending';
  return passed > 0 ? 'passing' : 'inconclusive';
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useLive } from '#renderer/api/live.ts';
import { useSummary } from '#renderer/api/summary.ts';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { unitSpan } from '#renderer/parts/format.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import row from '#renderer/parts/row.module.css';
import { RunStrip } from '#renderer/parts/run-strip.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Ago } from '#renderer/parts/time.tsx';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import { readRuns } from '#shared/summaries/run-code.ts';
import styles from './heartbeats-screen.module.css';
import { nextPingAt } from './next-ping.ts';
import { heartbeatsQuery, type ShownHeartbeat } from './queries.ts';
import { Snippets } from './snippets.tsx';

const words = text.heartbeats;
const route = getRouteApi('/shell/heartbeats');

/** Jobs that report in: when each did, when it will, and how to have one do so. */
export function HeartbeatsScreen() {
  useTitle(words.title);
  const { data, error, refetch } = useQuery(heartbeatsQuery);
  const queries = useQueryClient();
  useLive((event) => {
    const isOther = event.kind === 'check' && event.check.type === 'HEARTBEAT';
    if (isOther || event.kind === 'check-gone') void queries.invalidateQueries(heartbeatsQuery);
  });
  const summary = useSummary();
  const { of } = route.useSearch();
  if (data === undefined) {
    return (
      <>
        <PageHead title={words.title} below={words.text} />
        {error === null ? (
          <SkeletonRows count={6} />
        ) : (
          <Failed error={error} onRetry={() => void refetch()} />
        )}
      </>
    );
  }
  const known = summary.kind === 'ready' ? summary.known.checks : new Map<string, CheckSummary>();
  const shown = data.find(({ id }) => id === of) ?? data[0];
  if (shown === undefined) {
    return (
      <EmptyState
        title={words.emptyTitle}
        text={words.emptyText}
        action={
          <ButtonLink kind="primary" to={'/checks/new' as string}>
            {words.create}
          </ButtonLink>
        }
      />
    );
  }
  const rows = data.toSorted(
    (one, other) =>
      Number(known.get(other.id)?.state === 'failing') -
        Number(known.get(one.id)?.state === 'failing') || one.name.localeCompare(other.name),
  );
  const states = data.map(({ id }) => known.get(id)?.state);
  const failing = states.filter((state) => state === 'failing').length;
  const waiting = states.filter((state) => state === 'pending').length;
  return (
    <>
      <PageHead
        title={words.failed(failing, data.length)}
        below={waiting > 0 ? `${words.text} ${words.waiting(waiting)}.` : words.text}
      />
      <ul className={styles.list} aria-label={words.list}>
        {rows.map((check) => (
          <Heartbeat key={check.id} check={check} summary={known.get(check.id)} />
        ))}
      </ul>
      <Snippets checks={rows} shown={shown} />
    </>
  );
}

function Heartbeat({
  check,
  summary,
}: {
  check: ShownHeartbeat;
  summary: CheckSummary | undefined;
}) {
  const { id, name, heartbeat } = check;
  const { period, periodUnit, grace, graceUnit } = heartbeat;
  const codes = summary?.runs ?? '';
  const runs = useMemo(() => readRuns(codes), [codes]);
  return (
    <li className={styles.heartbeat}>
      <StateIcon state={summary?.state ?? 'pending'} />
      <span className={styles.words}>
        <Link to="/checks/$checkId" params={{ checkId: id }} className={row.name}>
          {name}
        </Link>
        <span className={row.muted}>
          {words.every(unitSpan(period, periodUnit), unitSpan(grace, graceUnit))}
        </span>
      </span>
      <span className={styles.strip}>
        <RunStrip runs={runs} />
      </span>
      <span className={styles.times}>
        {summary?.lastRunAt ? <Ago at={summary.lastRunAt} /> : words.never}
        <Next at={nextPingAt(check, summary)} />
      </span>
    </li>
  );
}

function Next({ at }: { at: number | null }) {
  if (at === null) return <span className={row.muted}>{words.waits}</span>;
  return (
    <span className={row.muted}>
      {words.expected} <Ago at={at} />
    </span>
  );
}

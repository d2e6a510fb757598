import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ApiProblem } from '#renderer/api/problem.ts';
import { NotFound } from '#renderer/app/not-found.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { Failed } from '#renderer/parts/failed.tsx';
import { SelectField } from '#renderer/parts/select.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import type { SessionSummary } from '#shared/summaries/session-summary.ts';
import { countSessions, isShown, orderSessions } from './arrange-sessions.ts';
import { useBatch } from './queries.ts';
import { SessionHead } from './session-head.tsx';
import { SessionRows } from './session-rows.tsx';
import styles from './session-screen.module.css';
import { SHOWN, type Shown } from './shown.ts';

const route = getRouteApi('/shell/sessions/$sessionId');
const words = text.sessions.one;

/** What one trigger made: each check as it goes. */
export function SessionScreen() {
  const { sessionId } = route.useParams();
  useTitle(words.title);
  const { sessions, error, refetch } = useBatch(sessionId);
  const [first, ...others] = sessions ?? [];
  if (first !== undefined) return <Batch sessions={[first, ...others]} />;
  if (error instanceof ApiProblem && [400, 404].includes(error.status)) return <NotFound />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  return <SkeletonRows count={8} />;
}

function Batch({ sessions }: { sessions: [SessionSummary, ...SessionSummary[]] }) {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const batch = countSessions(sessions);
  const isOver = batch.open === 0;
  // Once while it runs and once when it is over: no row moves in between.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they change with every event
  const order = useMemo(() => orderSessions(sessions).map(({ id }) => id), [isOver, batch.count]);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const rows = order
    .map((id) => byId.get(id))
    .filter((session) => session !== undefined)
    .filter((session) => isShown(session, show));
  return (
    <>
      <SessionHead batch={batch} sessions={sessions} />
      {batch.count > 1 && (
        <div className={styles.filter}>
          <SelectField
            label={words.show}
            value={show ?? 'all'}
            options={(['all', ...SHOWN] as const).map((one) => [one, words.shown[one]] as const)}
            onChange={(next) =>
              void navigate({
                search: { show: next === 'all' ? undefined : (next as Shown) },
                replace: true,
              })
            }
          />
        </div>
      )}
      {rows.length === 0 ? (
        <p className={styles.nothing}>{words.nothing}</p>
      ) : (
        <SessionRows sessions={rows} />
      )}
    </>
  );
}

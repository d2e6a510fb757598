import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '#renderer/api/client.ts';
import { useLive } from '#renderer/api/live.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { milliseconds } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { toastFailure } from '#renderer/parts/toast.tsx';
import { runState } from '#shared/summaries/check-state.ts';
import styles from './check-screen.module.css';
import { sessionQuery } from './queries.ts';

const route = getRouteApi('/shell/checks/$checkId');
const words = text.check.session;

/** A run that somebody asked for, while it is made and after it. */
export function RunSession({ sessionId }: { sessionId: string }) {
  const { checkId } = route.useParams();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const { data: session, error } = useQuery(sessionQuery(sessionId));
  useLive((event) => {
    if (event.kind !== 'session' || event.session.id !== sessionId) return;
    void queries.invalidateQueries(sessionQuery(sessionId));
  });
  const isOver = session !== undefined && session.stoppedAt !== null;
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: ['check', checkId] });
  }, [isOver, queries, checkId]);
  const close = () =>
    void navigate({ search: (before) => ({ ...before, session: undefined }), replace: true });
  const cancel = () =>
    api('POST /v1/check-sessions/{checkSessionId}/cancel', {
      params: { checkSessionId: sessionId },
    }).catch(toastFailure);
  const places = session?.runLocations ?? [];
  return (
    <section className={styles.session} aria-label={words.label}>
      <output className={styles.sessionState}>
        {error?.message}
        {session !== undefined &&
          (isOver
            ? words.statuses[session.status]
            : words.running(places.map(locationName).join(', ')))}
      </output>
      <ul className={styles.sessionRuns}>
        {places.map((place) => {
          const result = session?.results.findLast(({ runLocation }) => runLocation === place);
          return (
            <li key={place}>
              <StateIcon state={result === undefined ? 'pending' : runState(result)} />
              {locationName(place)}
              {result === undefined ? (
                <span className={styles.faint}>{words.waiting}</span>
              ) : (
                <Link
                  to="/checks/$checkId/results/$resultId"
                  params={{ checkId, resultId: result.checkResultId }}
                >
                  {milliseconds(result.responseTime ?? 0)}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {isOver || error !== null ? (
        <Button kind="quiet" onClick={close}>
          {words.close}
        </Button>
      ) : (
        <Button kind="quiet" onClick={() => void cancel()}>
          {words.cancel}
        </Button>
      )}
    </section>
  );
}

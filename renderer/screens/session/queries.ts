import { queryOptions, useQuery } from '@tanstack/react-query';
import { useReducer, useRef } from 'react';
import { api } from '#renderer/api/client.ts';
import { useLive } from '#renderer/api/live.ts';
import { laterSession } from '#shared/summaries/session-batch.ts';
import type { SessionSummary } from '#shared/summaries/session-summary.ts';

const batchQuery = (checkSessionId: string) =>
  queryOptions({
    queryKey: ['check-session-batch', checkSessionId],
    queryFn: ({ signal }) =>
      api('GET /app/check-sessions/{checkSessionId}', { params: { checkSessionId }, signal }),
  });

/** All sessions that were triggered together with one, as they go. */
export function useBatch(checkSessionId: string) {
  const { data, error, refetch } = useQuery(batchQuery(checkSessionId));
  // Apart from what was read: an event may come before the answer that does not know of it yet.
  const told = useRef(new Map<string, SessionSummary>());
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const createdAt = data?.[0]?.createdAt;
  useLive((event) => {
    if (event.kind !== 'session') return;
    const { session } = event;
    if (createdAt !== undefined && session.createdAt !== createdAt) return;
    told.current.set(session.id, session);
    draw();
  });
  const sessions = data?.map((session) =>
    laterSession(session, told.current.get(session.id) ?? session),
  );
  return { sessions, error, refetch };
}

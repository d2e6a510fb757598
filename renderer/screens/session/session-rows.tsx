import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { milliseconds } from '#renderer/parts/format.ts';
import { join } from '#renderer/parts/join.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import rowStyles from '#renderer/parts/row.module.css';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { hasEnded } from '#shared/sessions/check-session.ts';
import type { SessionSummary } from '#shared/summaries/session-summary.ts';
import { stateOf } from './arrange-sessions.ts';
import styles from './session-screen.module.css';

const words = text.sessions.one;
/** Px, as in the style sheet. */
const ROW_HEIGHT = 48;
const OVERSCAN = 12;

/** The checks of a batch: only rows that are near the window are there, as there may be thousands. */
export function SessionRows({ sessions }: { sessions: readonly SessionSummary[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above it changes with them
  useLayoutEffect(() => {
    const place = list.current?.getBoundingClientRect();
    if (place) setTop(Math.round(place.top + window.scrollY));
  }, [sessions.length]);
  const virtualizer = useWindowVirtualizer({
    count: sessions.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => sessions[index]?.id ?? index,
    scrollMargin: top,
    overscan: OVERSCAN,
  });
  return (
    <ul
      ref={list}
      className={styles.rows}
      aria-label={words.list}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const session = sessions[index];
        if (session === undefined) return null;
        return (
          <li
            key={session.id}
            className={styles.row}
            style={{ transform: `translateY(${start - top}px)` }}
            aria-posinset={index + 1}
            aria-setsize={sessions.length}
          >
            <Session session={session} />
          </li>
        );
      })}
    </ul>
  );
}

function Session({ session }: { session: SessionSummary }) {
  const { checkId, name, status, results, runLocations } = session;
  // One that is cancelled comes to no more results.
  const places = hasEnded(status) ? runLocations.filter(hasResult(results)) : runLocations;
  return (
    <>
      <StateIcon state={stateOf(status)} isNamed={false} />
      <Link to="/checks/$checkId" params={{ checkId }} className={rowStyles.name}>
        {name}
      </Link>
      <span className={join(rowStyles.muted, styles.status)}>{words.statuses[status]}</span>
      <span className={styles.results}>
        {places.map((place) => {
          const result = results.findLast(({ location }) => location === place);
          if (result === undefined) return <span key={place}>{locationName(place)}</span>;
          const time = milliseconds(result.responseTime);
          return (
            <Link
              key={place}
              to="/checks/$checkId/results/$resultId"
              params={{ checkId, resultId: result.id }}
              aria-label={words.resultAt(locationName(place), time)}
            >
              {places.length > 1 && <StateIcon state={result.state} size={12} />}
              {time}
            </Link>
          );
        })}
      </span>
    </>
  );
}

function hasResult(results: SessionSummary['results']): (place: string) => boolean {
  return (place) => results.some(({ location }) => location === place);
}

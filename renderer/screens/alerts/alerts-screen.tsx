import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSummary } from '#renderer/api/summary.ts';
import { useKeys } from '#renderer/app/keys.ts';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import line from '#renderer/parts/alert-line.module.css';
import { Button, ButtonLink } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { join } from '#renderer/parts/join.ts';
import { News } from '#renderer/parts/news.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { AlertRow, linkId } from './alert-row.tsx';
import styles from './alerts-screen.module.css';
import { Filters, isFiltered } from './filters.tsx';
import { alertsQuery, type ShownAlert } from './queries.ts';
import type { AlertsSearch } from './search.ts';
import { useHeldAlerts } from './use-held-alerts.ts';

const route = getRouteApi('/shell/alerts');
const words = text.alerts;

/** What was raised, of which check, for how long, and who was told. */
export function AlertsScreen() {
  useTitle(words.title);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const summary = useSummary();
  const failing = summary.kind === 'ready' ? summary.counts.failing : undefined;
  const change = (next: AlertsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <>
      <PageHead
        title={words.title}
        below={
          failing === undefined
            ? undefined
            : failing === 0
              ? words.noneFails
              : words.failingNow(failing)
        }
      />
      <Filters search={search} onChange={change} />
      <Alerts search={search} onClear={() => void navigate({ search: {} })} />
    </>
  );
}

function Alerts({ search, onClear }: { search: AlertsSearch; onClear(): void }) {
  const query = useInfiniteQuery(alertsQuery(search));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isPointed = useRef(false);
  const all = data?.pages.flat() ?? [];
  const held = useHeldAlerts(
    all,
    JSON.stringify(search),
    () => isPointed.current || window.scrollY > 0,
  );
  if (data === undefined) {
    if (error !== null) return <Failed error={error} onRetry={() => void query.refetch()} />;
    return <SkeletonRows count={8} />;
  }
  if (all.length === 0) return <Nothing search={search} onClear={onClear} />;
  return (
    <>
      {held.fresh > 0 && (
        <News said={words.fresh(held.fresh)} action={words.showFresh} onShow={held.release} />
      )}
      <AlertList
        alerts={held.alerts}
        isOfOne={search.check !== undefined}
        onPointed={(isOver) => {
          isPointed.current = isOver;
        }}
        isReading={query.isFetching}
        onEnd={() => {
          if (hasNextPage && !query.isFetching) void fetchNextPage();
        }}
      />
      {isFetchingNextPage && <p className={styles.reading}>{words.reading}</p>}
    </>
  );
}

function Nothing({ search, onClear }: { search: AlertsSearch; onClear(): void }) {
  return isFiltered(search) ? (
    <EmptyState
      title={words.filteredTitle}
      text={words.filteredText}
      action={<Button onClick={onClear}>{words.clear}</Button>}
    />
  ) : (
    <EmptyState
      title={words.emptyTitle}
      text={words.emptyText}
      action={<ButtonLink to="/settings/channels">{words.channels}</ButtonLink>}
    />
  );
}

interface AlertListProps {
  alerts: readonly ShownAlert[];
  isOfOne: boolean;
  onPointed(isOver: boolean): void;
  /** More is read, or what is there anew: that ends the reading of more. */
  isReading: boolean;
  /** Somebody came near the last one. */
  onEnd(): void;
}

const ROW_HEIGHT = 84;
const OVERSCAN = 8;

/** Only rows near the window are there. */
function AlertList({ alerts, isOfOne, onPointed, isReading, onEnd }: AlertListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above it changes with them
  useLayoutEffect(() => {
    const place = list.current?.getBoundingClientRect();
    if (place) setTop(Math.round(place.top + window.scrollY));
  }, [alerts.length]);
  const virtualizer = useWindowVirtualizer({
    count: alerts.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => alerts[index]?.id ?? index,
    scrollMargin: top,
    overscan: OVERSCAN,
  });
  const rows = virtualizer.getVirtualItems();
  const isAtEnd = (rows.at(-1)?.index ?? 0) >= alerts.length - 1;
  const latestEnd = useRef(onEnd);
  latestEnd.current = onEnd;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more came, or could not, and the end is near again
  useEffect(() => {
    if (isAtEnd) latestEnd.current();
  }, [isAtEnd, alerts.length, isReading]);
  useListKeys(alerts, (index) => virtualizer.scrollToIndex(index, { align: 'auto' }));
  return (
    <ol
      ref={list}
      className={styles.list}
      style={{ height: virtualizer.getTotalSize() }}
      aria-label={words.label}
      onPointerEnter={() => onPointed(true)}
      onPointerLeave={() => onPointed(false)}
    >
      {rows.map(({ index, start, key }) => {
        const alert = alerts[index];
        return (
          alert && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={join(line.alert, styles.alert)}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <AlertRow alert={alert} isOfOne={isOfOne} />
            </li>
          )
        );
      })}
    </ol>
  );
}

/** `j` and `k` go from one alert to the next; Enter is the link's own. */
function useListKeys(alerts: readonly ShownAlert[], scrollTo: (index: number) => void): void {
  const cursor = useRef(-1);
  const move = (by: 1 | -1) => {
    const focused = alerts.findIndex(({ id }) => document.activeElement?.id === linkId(id));
    const from = focused >= 0 ? focused : cursor.current;
    const to = Math.min(Math.max(from + by, 0), alerts.length - 1);
    cursor.current = to;
    scrollTo(to);
    // A row that was out of the window is there after it was scrolled to.
    requestAnimationFrame(() => document.getElementById(linkId(alerts[to]?.id ?? ''))?.focus());
  };
  useKeys([
    { key: 'j', label: words.keys.next, run: () => move(1) },
    { key: 'k', label: words.keys.previous, run: () => move(-1) },
  ]);
}

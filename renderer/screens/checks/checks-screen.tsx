import { getRouteApi } from '@tanstack/react-router';
import { lazy, memo, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { readSummary } from '#renderer/api/live.ts';
import { useStore } from '#renderer/api/store.ts';
import { useSummary } from '#renderer/api/summary.ts';
import { hiddenStore } from '#renderer/app/act-on-checks.ts';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button, ButtonLink } from '#renderer/parts/button.tsx';
import { useOfNow } from '#renderer/parts/clock.ts';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { News } from '#renderer/parts/news.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import type { KnownChecks } from '#shared/summaries/apply-events.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import { CheckTable } from './check-table.tsx';
import { Filters } from './filters.tsx';
import { detailOf, headlineOf } from './headline.ts';
import { useCheckList } from './use-check-list.ts';
import { useHeldRows } from './use-held-rows.ts';
import { useSelection } from './use-selection.ts';

const route = getRouteApi('/shell/');

// Needed once, and by nobody who has checks.
const FirstMinute = lazy(async () => ({
  default: (await import('./first-minute/first-minute.tsx')).FirstMinute,
}));

// Needed once something is selected.
const BulkActions = lazy(async () => ({
  default: (await import('./bulk-actions.tsx')).BulkActions,
}));

/** Home: every check, what is wrong first. */
export function ChecksScreen() {
  const { first } = route.useSearch();
  useTitle(text.checks.title);
  // A list that comes, or moves, is drawn in slices: whoever types or scrolls goes first.
  const summary = useDeferredValue(useSummary());
  if (summary.kind === 'failed') {
    return <Failed error={summary.error} onRetry={() => void readSummary()} />;
  }
  if (summary.kind === 'loading') {
    return (
      <>
        <PageHead title={text.checks.title} />
        <SkeletonRows count={12} />
      </>
    );
  }
  if (first !== undefined || summary.known.checks.size === 0) {
    return (
      <Suspense fallback={<PageHead title={text.checks.title} />}>
        <FirstMinute checkId={first} />
      </Suspense>
    );
  }
  return <Checks known={summary.known} counts={summary.counts} />;
}

interface ChecksProps {
  known: KnownChecks;
  counts: Record<CheckState, number>;
}

const Checks = memo(function Checks({ known, counts }: ChecksProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useCheckList(known, search);
  const hidden = useStore(hiddenStore);
  const selection = useSelection();
  const isPointed = useRef(false);
  const [cursor, setCursor] = useState<string | null>(null);
  const isHeld = () =>
    isPointed.current || selection.ids.size > 0 || cursor !== null || window.scrollY > 0;
  const held = useHeldRows(list, isHeld);
  const rows = useMemo(
    () =>
      held.rows.filter(
        (row) => row.kind === 'section' || (known.checks.has(row.id) && !hidden.has(row.id)),
      ),
    [held.rows, known.checks, hidden],
  );
  const detail = useOfNow((now) => detailOf(list.all, counts, now) ?? '');
  const selected = [...selection.ids].filter((id) => known.checks.has(id) && !hidden.has(id));
  return (
    <>
      <PageHead
        title={headlineOf(counts)}
        below={detail === '' ? undefined : detail}
        actions={
          <ButtonLink to="/checks/new" kind="primary">
            {text.shell.newCheck}
          </ButtonLink>
        }
      />
      <Filters
        search={search}
        counts={counts}
        checks={list.all}
        onChange={(change) =>
          void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
        }
      />
      {held.waiting > 0 && (
        <News
          said={text.checks.changed(held.waiting)}
          action={text.checks.showChanged}
          onShow={held.release}
        />
      )}
      {rows.length === 0 ? (
        <EmptyState
          title={text.checks.nothingTitle}
          text={text.checks.nothingText}
          action={
            <Button onClick={() => void navigate({ search: {} })}>{text.checks.clear}</Button>
          }
        />
      ) : (
        <CheckTable
          rows={rows}
          known={known}
          selection={selection}
          cursor={cursor}
          onCursor={setCursor}
          onPointed={(isOver) => {
            isPointed.current = isOver;
          }}
        />
      )}
      {selected.length > 0 && (
        <Suspense>
          <BulkActions ids={selected} known={known} onDone={selection.clear} />
        </Suspense>
      )}
    </>
  );
});

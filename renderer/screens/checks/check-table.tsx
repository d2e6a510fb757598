import { useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useKeys } from '#renderer/app/keys.ts';
import { text } from '#renderer/messages/messages.ts';
import { Grid, GridHead, GridRow, GridRows } from '#renderer/parts/grid.tsx';
import { useMedia } from '#renderer/parts/use-media.ts';
import type { KnownChecks } from '#shared/summaries/apply-events.ts';
import type { ListRow } from '#shared/summaries/check-list.ts';
import { CheckRow } from './check-row.tsx';
import styles from './check-table.module.css';
import { SectionRow } from './section-row.tsx';
import type { Selection } from './use-selection.ts';

interface CheckTableProps {
  rows: readonly ListRow[];
  known: KnownChecks;
  selection: Selection;
  /** The check that keys are about. */
  cursor: string | null;
  onCursor(id: string | null): void;
  onPointed(isOver: boolean): void;
}

/** Px, as in the style sheet. A row that says why is higher, and has a line more where it is narrow. */
const HEIGHTS = { check: 40, bad: 52, narrowBad: 68, section: 32 };
const NARROW = '(max-width: 720px)';
const HEAD_HEIGHT = 33;
const OVERSCAN = 12;

function heightOf(row: ListRow | undefined, isNarrow: boolean): number {
  if (row?.kind !== 'check') return HEIGHTS.section;
  if (!row.isBad) return HEIGHTS.check;
  return isNarrow ? HEIGHTS.narrowBad : HEIGHTS.bad;
}

/** The list of checks: only rows that are near the window are there. */
export function CheckTable(props: CheckTableProps) {
  const { rows, known, selection, cursor, onCursor, onPointed } = props;
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const isNarrow = useMedia(NARROW);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above it changes with them
  useLayoutEffect(() => {
    const place = body.current?.getBoundingClientRect();
    if (place) setTop(Math.round(place.top + window.scrollY));
  }, [rows.length, isNarrow]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heightOf(rows[index], isNarrow),
    getItemKey: (index) => rows[index]?.key ?? index,
    scrollMargin: top,
    scrollPaddingStart: HEAD_HEIGHT,
    overscan: OVERSCAN,
    // Rows are drawn with the table, and not once it was measured: that would hold up the page.
    initialRect: { width: innerWidth, height: innerHeight },
  });
  // Heights are of rows and not of places: they are counted anew where other rows come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer stays the same
  useLayoutEffect(() => virtualizer.measure(), [rows, isNarrow]);
  useTableKeys(props, (index) => virtualizer.scrollToIndex(index, { align: 'auto' }));
  useEffect(() => {
    // A row that was out of the window is there after it was scrolled to.
    const frame = requestAnimationFrame(() => {
      const row = cursor === null ? null : document.getElementById(rowId(cursor));
      row?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [cursor]);
  const order = () => rows.flatMap((row) => (row.kind === 'check' ? [row.id] : []));
  const latest = useRef({ selection, order });
  latest.current = { selection, order };
  // The same for every row and time, so that only rows are drawn anew whose check changed.
  const select = useCallback((id: string, isRange: boolean) => {
    const { selection: now, order: ids } = latest.current;
    if (isRange) now.extend(id, ids());
    else now.toggle(id);
  }, []);
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    // Where a row goes out of the window with the focus nobody has it: keys go on from there.
    const isElsewhere = relatedTarget !== null && !currentTarget.contains(relatedTarget);
    if (isElsewhere) onCursor(null);
  };
  return (
    <Grid
      className={styles.table}
      aria-label={text.checks.list}
      aria-rowcount={rows.length + 1}
      aria-multiselectable
      tabIndex={cursor === null ? 0 : -1}
      onFocus={(event) => event.target === event.currentTarget && onCursor(order()[0] ?? null)}
      onBlur={onBlur}
      onPointerEnter={() => onPointed(true)}
      onPointerLeave={() => onPointed(false)}
    >
      <Head />
      <GridRows ref={body} className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const place = { index: index + 2, top: start - top };
          if (row.kind === 'section') {
            return <SectionRow key={row.key} section={row.section} {...place} />;
          }
          const check = known.checks.get(row.id);
          if (check === undefined) return null;
          const group = check.groupId === null ? undefined : known.groups.get(check.groupId)?.name;
          return (
            <CheckRow
              key={row.key}
              check={check}
              group={row.isBad ? group : undefined}
              isBad={row.isBad}
              isSelected={selection.ids.has(row.id)}
              isCursor={cursor === row.id}
              onSelect={select}
              onCursor={onCursor}
              {...place}
            />
          );
        })}
      </GridRows>
    </Grid>
  );
}

/** The element of a row. */
export function rowId(checkId: string): string {
  return `check-${checkId}`;
}

function Head() {
  const { name, type, runs, availability, p95, lastRun } = text.checks.columns;
  return (
    <GridRows className={styles.headGroup}>
      <GridRow className={styles.head} aria-rowindex={1}>
        {[
          ['', styles.state],
          [name, styles.name],
          [type, styles.type],
          [runs, styles.runs],
          [availability, styles.number],
          [p95, styles.number],
          [lastRun, styles.lastRun],
        ].map(([label, className]) => (
          <GridHead key={label} className={className}>
            {label === '' ? <span className={styles.unseen}>{text.checks.bulk.label}</span> : label}
          </GridHead>
        ))}
      </GridRow>
    </GridRows>
  );
}

/** `j` and `k` go from check to check, `x` selects, Enter opens. */
function useTableKeys(
  { rows, selection, cursor, onCursor }: CheckTableProps,
  scrollTo: (index: number) => void,
): void {
  const navigate = useNavigate();
  const go = (step: 1 | -1) => {
    const from = rows.findIndex((row) => row.kind === 'check' && row.id === cursor);
    for (let at = from + step; at >= 0 && at < rows.length; at += step) {
      const row = rows[at];
      if (row?.kind !== 'check') continue;
      scrollTo(at);
      onCursor(row.id);
      return;
    }
  };
  const next = () => go(1);
  const previous = () => go(-1);
  const { keys } = text.checks;
  useKeys([
    { key: 'j', label: keys.next, run: next },
    { key: 'ArrowDown', label: keys.next, run: next, isHidden: true },
    { key: 'k', label: keys.previous, run: previous },
    { key: 'ArrowUp', label: keys.previous, run: previous, isHidden: true },
    { key: 'x', label: keys.select, run: () => cursor !== null && selection.toggle(cursor) },
    {
      key: 'Enter',
      label: keys.open,
      run: () => void (cursor !== null && navigate({ href: `/checks/${cursor}` })),
    },
    {
      key: 'Escape',
      label: keys.clear,
      run: () => {
        selection.clear();
        onCursor(null);
      },
    },
  ]);
}

import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, memo } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { useOfNow } from '#renderer/parts/clock.ts';
import { bothTimes, milliseconds, percent, relative, span } from '#renderer/parts/format.ts';
import { GridCell, GridRow } from '#renderer/parts/grid.tsx';
import { join } from '#renderer/parts/join.ts';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Tag } from '#renderer/parts/tag.tsx';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import { type CodedRun, readRuns } from '#shared/summaries/run-code.ts';
import styles from './check-table.module.css';
import { RunsCell } from './runs-cell.tsx';

interface CheckRowProps {
  check: CheckSummary;
  /** Its name, where the row stands apart from its group. */
  group: string | undefined;
  /** At the top, with a second line. */
  isBad: boolean;
  isSelected: boolean;
  isCursor: boolean;
  onSelect(id: string, isRange: boolean): void;
  onCursor(id: string): void;
  /** From 1, with the head. */
  index: number;
  /** Px from the top of the list. */
  top: number;
}

const MAX_TAGS = 2;

/** A check: where it stands, its name, its last runs, its day. */
export const CheckRow = memo(function CheckRow(props: CheckRowProps) {
  const { check, group, isBad, isSelected, isCursor, onSelect, onCursor, index, top } = props;
  const { id, name, state, type, tags, muted, availability, p95 } = check;
  const navigate = useNavigate();
  const href = `/checks/${id}`;
  const open = (event: MouseEvent) => {
    const isElsewhere = (event.target as HTMLElement).closest('a, input, label, button') !== null;
    if (!isElsewhere && !hasSelectedText()) void navigate({ href });
  };
  const follow = (event: MouseEvent) => {
    // A new tab or window is the browser's own.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ href });
  };
  return (
    <GridRow
      id={`check-${id}`}
      aria-rowindex={index}
      aria-selected={isSelected}
      tabIndex={isCursor ? 0 : -1}
      className={join(styles.row, isBad && styles.bad, isBad && styles[state])}
      style={{ transform: `translateY(${top}px)` }}
      onClick={open}
      onFocus={() => onCursor(id)}
    >
      <GridCell className={styles.state}>
        <label className={styles.pick}>
          <StateIcon state={state} key={state} />
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={text.checks.select(name)}
            checked={isSelected}
            onChange={() => {}}
            onClick={(event) => onSelect(id, event.shiftKey)}
          />
        </label>
      </GridCell>
      <GridCell className={styles.name}>
        <div className={styles.line}>
          <a className={styles.link} href={href} tabIndex={-1} onClick={follow}>
            {name}
          </a>
          {group !== undefined && <span className={styles.group}>{group}</span>}
          {muted && <StateIcon state="muted" size={14} />}
          <span className={styles.tags}>
            {tags.slice(0, MAX_TAGS).map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        </div>
        {isBad && <Why check={check} />}
      </GridCell>
      <GridCell className={styles.type}>{text.checks.types[type]}</GridCell>
      <GridCell className={styles.runs}>
        <RunsCell check={check} />
      </GridCell>
      <GridCell className={styles.number}>
        {availability === null ? text.parts.none : percent(availability)}
      </GridCell>
      <GridCell className={join(styles.number, styles.p95)}>
        {p95 === null ? text.parts.none : milliseconds(p95)}
      </GridCell>
      <GridCell className={styles.lastRun}>
        <LastRun check={check} />
      </GridCell>
    </GridRow>
  );
});

/** The cause in words, since when, and how many runs it was. */
function Why({ check: { state, cause, since, runs } }: { check: CheckSummary }) {
  const { bad, count } = troubleOf(readRuns(runs), state);
  const said =
    state === 'degraded' ? text.checks.slowRuns(bad, count) : (cause ?? text.checks.noReason);
  const length = useOfNow((now) => (since === null ? '' : span(now - since)));
  const more = [
    length && text.checks.failingFor(length),
    state === 'failing' && count > 1 && text.checks.failedRuns(bad, count),
  ].filter(Boolean);
  return (
    <p className={styles.why}>
      <span className={styles.cause} title={said}>
        {said}
      </span>
      {more.length > 0 && (
        <span className={styles.more}>
          <span className={styles.separator}>{' · '}</span>
          {more.join(' · ')}
        </span>
      )}
    </p>
  );
}

/** The last runs back to two that were well, one after the other: where the trouble began. */
function troubleOf(runs: readonly CodedRun[], state: string): { bad: number; count: number } {
  const isWell = (at: number) => runs[at]?.state === 'passing';
  let first = runs.length;
  while (first > 0 && !(isWell(first - 1) && isWell(first - 2))) first -= 1;
  const those = runs.slice(first);
  return { bad: those.filter((run) => run.state === state).length, count: those.length };
}

function LastRun({ check: { state, lastRunAt } }: { check: CheckSummary }) {
  const shown = useOfNow((now) => (lastRunAt === null ? '' : relative(lastRunAt, now)));
  if (state === 'paused') return text.checks.paused;
  if (lastRunAt === null) return text.checks.waiting;
  return (
    <time
      dateTime={new Date(lastRunAt).toISOString()}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = bothTimes(lastRunAt);
      }}
    >
      {shown}
    </time>
  );
}

function hasSelectedText(): boolean {
  return window.getSelection()?.isCollapsed === false;
}

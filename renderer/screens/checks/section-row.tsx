import { Link } from '@tanstack/react-router';
import { text } from '#renderer/messages/messages.ts';
import { GridRow, GridRowHead } from '#renderer/parts/grid.tsx';
import { join } from '#renderer/parts/join.ts';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import type { Section } from '#shared/summaries/check-list.ts';
import styles from './check-table.module.css';

/** A heading between checks: a group or a type, with how its checks are. */
export function SectionRow({
  section,
  index,
  top,
}: {
  section: Section;
  index: number;
  top: number;
}) {
  const { group, type, count, states } = section;
  const name = group?.name ?? (type ? text.checks.types[type] : text.checks.noGroup);
  return (
    <GridRow
      aria-rowindex={index}
      className={join(styles.row, styles.section)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <GridRowHead className={styles.line}>
        {group?.activated === false && <StateIcon state="paused" size={14} />}
        {group?.muted && <StateIcon state="muted" size={14} />}
        {group ? (
          <Link
            to="/groups/$groupId"
            params={{ groupId: String(group.id) }}
            className={join(styles.sectionName, styles.sectionLink)}
          >
            {name}
          </Link>
        ) : (
          <span className={styles.sectionName}>{name}</span>
        )}
        <span className={styles.sectionNote}>{noteOf(count, states)}</span>
      </GridRowHead>
    </GridRow>
  );
}

function noteOf(count: number, states: Section['states']): string {
  const { passing = 0, pending = 0, paused = 0 } = states;
  // Those that are off, or wait, do not pass: nothing is wrong with them.
  return pending + paused === count
    ? text.checks.sectionPlain(count)
    : text.checks.section(count, passing);
}

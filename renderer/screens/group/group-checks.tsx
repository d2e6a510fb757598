import { Link } from '@tanstack/react-router';
import { groupText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { percent } from '#renderer/parts/format.ts';
import { RunStrip } from '#renderer/parts/run-strip.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { Ago } from '#renderer/parts/time.tsx';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import { readRuns } from '#shared/summaries/run-code.ts';
import styles from './group.module.css';

const words = groupText;
const HEADS = [
  { label: words.columns.check },
  { label: words.columns.type, isMinor: true },
  { label: words.columns.runs, isMinor: true },
  { label: words.columns.availability, isNumber: true, isMinor: true },
  { label: words.columns.lastRun },
];

/** The checks of a group; each that fails says why. */
export function GroupChecks({ checks }: { checks: readonly CheckSummary[] }) {
  if (checks.length === 0) {
    const action = <ButtonLink to="/">{words.toChecks}</ButtonLink>;
    return <EmptyState title={words.emptyTitle} text={words.emptyText} action={action} />;
  }
  return (
    <Table label={words.checks} heads={HEADS}>
      {checks.map(({ id, name, type, state, cause, runs, availability, lastRunAt }) => (
        <tr key={id}>
          <Cell>
            <span className={styles.check}>
              <StateIcon state={state} />
              <span>
                <Link to="/checks/$checkId" params={{ checkId: id }} className={styles.name}>
                  {name}
                </Link>
                {cause !== null && <span className={styles.cause}>{cause}</span>}
              </span>
            </span>
          </Cell>
          <Cell isMinor>{text.checks.types[type]}</Cell>
          <Cell isMinor>
            <RunStrip runs={readRuns(runs)} />
          </Cell>
          <Cell isMinor isNumber>
            {availability === null ? text.parts.none : percent(availability)}
          </Cell>
          <Cell>{lastRunAt === null ? text.parts.none : <Ago at={lastRunAt} />}</Cell>
        </tr>
      ))}
    </Table>
  );
}

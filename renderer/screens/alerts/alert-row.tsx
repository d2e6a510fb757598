import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { text } from '#renderer/messages/messages.ts';
import line from '#renderer/parts/alert-line.module.css';
import { useOfNow } from '#renderer/parts/clock.ts';
import { span } from '#renderer/parts/format.ts';
import { join } from '#renderer/parts/join.ts';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { alertState, ToldList } from '#renderer/parts/told-list.tsx';
import styles from './alerts-screen.module.css';
import type { ShownAlert } from './queries.ts';

const words = text.alerts;

/** The id of the link that keys go to. */
export function linkId(alertId: string): string {
  return `alert-${alertId}`;
}

/** An alert: what it says of which check, since when and how long, who was told. */
export const AlertRow = memo(function AlertRow({
  alert,
  isOfOne,
}: {
  alert: ShownAlert;
  /** Whether all of the list are of this check. */
  isOfOne: boolean;
}) {
  const { id, alertType, name, checkId, checkResultId, error, created_at } = alert;
  const state = alertState(alertType);
  return (
    <>
      <StateIcon state={state} isNamed={false} />
      <div className={join(line.words, styles.words)}>
        <p>
          {checkResultId === null ? (
            <Link
              id={linkId(id)}
              className={styles.name}
              to="/checks/$checkId"
              params={{ checkId }}
            >
              {name}
            </Link>
          ) : (
            <Link
              id={linkId(id)}
              className={styles.name}
              to="/checks/$checkId/results/$resultId"
              params={{ checkId, resultId: checkResultId }}
            >
              {name}
            </Link>
          )}
          <b>{text.parts.alerts.types[alertType]}</b> <Duration alert={alert} />
        </p>
        {error !== null && <p className={line.error}>{error}</p>}
        <ToldList told={alert.told} withheld={alert.withheld} />
      </div>
      <div className={join(line.end, styles.end)}>
        <Time at={created_at} />
        {!isOfOne && (
          <Link to="/alerts" search={(before) => ({ ...before, check: checkId })}>
            {words.onlyThis}
          </Link>
        )}
      </div>
    </>
  );
});

function Duration({ alert: { alertType, created_at, endedAt } }: { alert: ShownAlert }) {
  const from = Date.parse(created_at);
  const isTrouble =
    ['failing', 'degraded'].includes(alertState(alertType)) && alertType !== 'ALERT_SSL';
  const lasts = useOfNow((now) => span(Math.max(0, now - from)));
  if (!isTrouble) return null;
  return (
    <span className={styles.duration}>
      {endedAt === null ? words.lasts(lasts) : words.lasted(span(Date.parse(endedAt) - from))}
    </span>
  );
}

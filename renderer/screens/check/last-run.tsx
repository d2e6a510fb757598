import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { text } from '#renderer/messages/messages.ts';
import { ChangesList } from '#renderer/parts/changes-list.tsx';
import { locationName } from '#renderer/parts/location-name.ts';
import pair from '#renderer/parts/pair.module.css';
import { Panel } from '#renderer/parts/panel.tsx';
import { Ago, Time } from '#renderer/parts/time.tsx';
import { Waterfall } from '#renderer/parts/waterfall.tsx';
import { changesBetween } from '#shared/results/changes.ts';
import { phasesOf } from '#shared/results/phases.ts';
import styles from './check-screen.module.css';
import { comparedQuery, type RunLine } from './queries.ts';

/** What the last run found, and, where it is bad, what changed since the last good one. */
export function LastRun({ checkId, last }: { checkId: string; last: RunLine }) {
  const { data } = useQuery(comparedQuery(checkId, last));
  if (data === undefined) return null;
  const { result, good } = data;
  const isBad = last.hasFailures || last.hasErrors;
  const phases = phasesOf(result);
  return (
    <div className={pair.pair}>
      {isBad && (
        <Panel title={text.check.changed} note={good !== null && <Time at={good.created_at} />}>
          {good === null ? (
            <p className={styles.nothing}>{text.check.noGood}</p>
          ) : (
            <ChangesList changes={changesBetween(good, result, {})} />
          )}
        </Panel>
      )}
      {phases.length > 0 && (
        <Panel
          title={text.check.lastRun}
          note={
            <>
              <Ago at={last.created_at} /> · {locationName(last.runLocation)} ·{' '}
              <Link to="/checks/$checkId/results/$resultId" params={{ checkId, resultId: last.id }}>
                {text.check.openLast}
              </Link>
            </>
          }
        >
          <Waterfall phases={phases} before={good === null ? undefined : phasesOf(good)} />
        </Panel>
      )}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ShownResult } from '#renderer/api/answers.ts';
import { resultText } from '#renderer/messages/result.ts';
import { ChangesList } from '#renderer/parts/changes-list.tsx';
import pair from '#renderer/parts/pair.module.css';
import { Panel } from '#renderer/parts/panel.tsx';
import styles from '#renderer/parts/run/run.module.css';
import { Time } from '#renderer/parts/time.tsx';
import { Waterfall } from '#renderer/parts/waterfall.tsx';
import { changesBetween } from '#shared/results/changes.ts';
import { phasesOf } from '#shared/results/phases.ts';
import { lastGoodQuery, usualQuery } from './queries.ts';

const words = resultText;

/** What a run is compared with; `isComing` until it is known, or cannot be. */
export function useCompared(result: ShownResult) {
  const { data: good, isLoading: isGoodComing } = useQuery(lastGoodQuery(result));
  const { data: usual, isLoading: isUsualComing } = useQuery({
    ...usualQuery(result, good ?? result),
    enabled: good !== undefined && good !== null,
  });
  return { good, usual, isComing: isGoodComing || isUsualComing };
}

/** The run beside the last good one: what changed, and where the time went. */
export function Comparison({ result }: { result: ShownResult }) {
  const { good, usual } = useCompared(result);
  const isBad = result.hasFailures || result.hasErrors;
  const phases = phasesOf(result);
  const changes =
    good === undefined || good === null || usual === undefined
      ? undefined
      : changesBetween(good, result, usual);
  const slow = new Set(
    changes?.flatMap((change) => (change.kind === 'phase' ? [change.name] : [])),
  );
  const link = good && (
    <Link
      to="/checks/$checkId/results/$resultId"
      params={{ checkId: result.checkId, resultId: good.id }}
    >
      <Time at={good.startedAt ?? good.created_at} />
    </Link>
  );
  return (
    <div className={pair.pair}>
      {isBad && (
        <Panel title={words.changed} note={link}>
          {good === null && <p className={styles.nothing}>{words.noGood}</p>}
          {changes !== undefined && <ChangesList changes={changes} />}
        </Panel>
      )}
      {phases.length > 0 && (
        <Panel
          title={words.waterfall}
          note={
            good && (
              <>
                {words.ghosts} {link}
              </>
            )
          }
        >
          <Waterfall
            phases={phases}
            before={good === undefined || good === null ? undefined : phasesOf(good)}
            slow={slow}
          />
        </Panel>
      )}
    </div>
  );
}

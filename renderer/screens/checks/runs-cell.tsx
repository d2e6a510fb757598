import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { text } from '#renderer/messages/messages.ts';
import { milliseconds, moment } from '#renderer/parts/format.ts';
import { RunStrip } from '#renderer/parts/run-strip.tsx';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import { type CodedRun, MAX_RUNS, readRuns } from '#shared/summaries/run-code.ts';
import styles from './runs-cell.module.css';

/** The last runs as bars; the one that the pointer is on says when it was and what it found. */
export function RunsCell({ check }: { check: CheckSummary }) {
  const runs = useMemo(() => readRuns(check.runs), [check.runs]);
  const [pointed, setPointed] = useState<number | null>(null);
  const run = pointed === null ? undefined : runs[pointed];
  return (
    <>
      <RunStrip runs={runs} onPoint={setPointed} />
      {pointed !== null && run !== undefined && (
        <Hint check={check} run={run} place={runs.length - 1 - pointed} />
      )}
    </>
  );
}

/** @param place of the run, counted from the newest */
function Hint({ check, run, place }: { check: CheckSummary; run: CodedRun; place: number }) {
  const { id, type, lastRunAt } = check;
  const isHeartbeat = type === 'HEARTBEAT';
  const { data } = useQuery({
    queryKey: ['check-results', id, 'strip', lastRunAt],
    queryFn: ({ signal }) =>
      api('GET /v2/check-results/{checkId}', {
        params: { checkId: id },
        query: {
          limit: MAX_RUNS,
          resultType: 'FINAL',
          fields: ['startedAt', 'responseTime', 'failure'],
        },
        signal,
      }),
    enabled: !isHeartbeat,
  });
  const result = data?.entries[place];
  return (
    <div className={styles.hint}>
      <strong>{text.parts.states[run.state]}</strong>
      {result?.startedAt && ` · ${moment(Date.parse(result.startedAt))}`}
      {!isHeartbeat && ` · ${milliseconds(result?.responseTime ?? run.responseTime)}`}
      {result?.failure && <div className={styles.cause}>{result.failure.message}</div>}
    </div>
  );
}

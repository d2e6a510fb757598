import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { milliseconds, moment } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { RunStrip } from '#renderer/parts/run-strip.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { runState } from '#shared/summaries/check-state.ts';
import styles from './check-screen.module.css';
import type { RunLine } from './queries.ts';

const HEIGHT = 40;

/** The last runs as bars. They can be read and opened by pointer; by keyboard in the list of runs. */
export function RunRibbon({ checkId, runs }: { checkId: string; runs: readonly RunLine[] }) {
  const navigate = useNavigate();
  const [pointed, setPointed] = useState<number | null>(null);
  const ordered = runs.toReversed();
  const run = ordered[pointed ?? ordered.length - 1];
  const open = () => {
    if (run === undefined || pointed === null) return;
    void navigate({
      to: '/checks/$checkId/results/$resultId',
      params: { checkId, resultId: run.id },
    });
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the list of runs is its counterpart for keyboards */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className={styles.ribbon} onClick={open}>
        <RunStrip
          runs={ordered.map((one) => ({
            state: runState(one),
            responseTime: one.responseTime,
          }))}
          places={Math.max(ordered.length, 40)}
          height={HEIGHT}
          isWide
          onPoint={setPointed}
        />
      </div>
      {run !== undefined && (
        <p className={styles.ribbonRun}>
          <StateIcon state={runState(run)} />
          {moment(Date.parse(run.startedAt ?? run.created_at))} · {milliseconds(run.responseTime)} ·{' '}
          {locationName(run.runLocation)}
          {run.failure !== null && <span className={styles.cut}>{run.failure.message}</span>}
          {run.failure === null && text.check.run.passed}
        </p>
      )}
    </>
  );
}

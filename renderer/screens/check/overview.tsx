import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { Failed } from '#renderer/parts/failed.tsx';
import pair from '#renderer/parts/pair.module.css';
import { Panel } from '#renderer/parts/panel.tsx';
import { DEFAULT_PERIOD } from '#renderer/parts/period.ts';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import styles from './check-screen.module.css';
import { LastRun } from './last-run.tsx';
import { Numbers } from './numbers.tsx';
import { LocationsChart, PartsChart } from './part-charts.tsx';
import { lastRunsQuery, reportQuery } from './queries.ts';
import { ResponseChart } from './response-chart.tsx';
import { RunRibbon } from './run-ribbon.tsx';

const route = getRouteApi('/shell/checks/$checkId');
const CHARTS_HEIGHT = 420;

/** How a check did in a period, and what its last runs found. */
export function Overview({ check }: { check: ShownCheck }) {
  const { period = DEFAULT_PERIOD } = route.useSearch();
  const { data, error, refetch } = useQuery(reportQuery(check, period));
  const { data: runs = [] } = useQuery(lastRunsQuery(check.id));
  // Charts are much to draw, and are drawn in slices.
  const report = useDeferredValue(data);
  // Before, they would move below what comes.
  const isReported = report !== undefined || error !== null;
  return (
    <div className={styles.overview}>
      {report === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {report === undefined && error === null && <SkeletonBlock height={CHARTS_HEIGHT} />}
      {report !== undefined && (
        <>
          <Numbers now={report.now} before={report.before} />
          <ResponseChart check={check} report={report} period={period} />
        </>
      )}
      {isReported && runs[0] !== undefined && <LastRun checkId={check.id} last={runs[0]} />}
      {isReported && runs.length > 0 && (
        <Panel title={text.check.ribbon(runs.length)} note={text.check.ribbonHint}>
          <RunRibbon checkId={check.id} runs={runs} />
        </Panel>
      )}
      {report !== undefined && (
        <div className={pair.pair}>
          <PartsChart check={check} report={report} />
          <LocationsChart check={check} report={report} />
        </div>
      )}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { count, milliseconds, moment } from '#renderer/parts/format.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import type { Period } from '#renderer/parts/period.ts';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { ChartLegend, type ChartMark, TimeChart } from '#renderer/parts/time-chart.tsx';
import { Tooltip } from '#renderer/parts/tooltip.tsx';
import { type FailedMark, failedMarks, timesOf, valuesAt } from './chart-data.ts';
import styles from './check-screen.module.css';
import { CHART_METRICS } from './metrics.ts';
import { failedRunsQuery, groupQuery, maintenanceQuery, type Report } from './queries.ts';

const words = text.check.chart;
const HEIGHT = 280;
/** Px of the window for each mark: what stands beside the chart takes a part of it. */
const PX_OF_MARK = 28;

interface ResponseChartProps {
  check: ShownCheck;
  report: Report;
  period: Period;
}

/** Response times as a band from p50 to p95, with failed runs and maintenance. */
export function ResponseChart({ check, report, period }: ResponseChartProps) {
  const { data: failed = [] } = useQuery(failedRunsQuery(check.id, period));
  const group = useQuery({ ...groupQuery(check.groupId ?? 0), enabled: check.groupId !== null });
  const tags = [...check.tags, ...(group.data?.tags ?? [])];
  const { data: maintenance = [] } = useQuery(maintenanceQuery(tags));
  const { main } = CHART_METRICS[check.checkType];
  const times = timesOf(report.buckets, report.bucketMs, check);
  const lines = [
    {
      label: text.check.numbers.p50,
      colour: '--chart-line',
      values: valuesAt(times, report.buckets, `${main}_p50`),
    },
    {
      label: text.check.numbers.p95,
      colour: '--chart-band',
      values: valuesAt(times, report.buckets, `${main}_p95`),
    },
  ];
  const { p50, p95, failed: failures } = report.now;
  const said = (value: number | null) => (value === null ? text.parts.none : milliseconds(value));
  const marks = failedMarks(report, failed, Math.floor(innerWidth / PX_OF_MARK));
  return (
    <Panel
      title={words.title}
      note={
        <div className={styles.legend}>
          <ChartLegend lines={lines} />
          <span className={styles.legendMark}>
            <StateIcon state="failing" isNamed={false} size={12} />
            {words.failed}
          </span>
        </div>
      }
    >
      {report.buckets.length === 0 ? (
        <p className={styles.nothing}>{words.empty}</p>
      ) : (
        <TimeChart
          label={words.label(said(p50), said(p95), failures)}
          from={report.from}
          to={report.to}
          times={times}
          lines={lines}
          isBand
          height={HEIGHT}
          format={milliseconds}
          spans={maintenance
            .filter(({ from, to }) => to > report.from && from < report.to)
            .map(({ from, to, name }) => ({ from, to, label: name }))}
          marks={marks.map((mark, index) => markOf(check.id, mark, index === marks.length - 1))}
        />
      )}
    </Panel>
  );
}

/** The last one is reached by Tab, the others from it by the arrows. */
function markOf(checkId: string, mark: FailedMark, isLast: boolean): ChartMark {
  const { at, until, count: runs, run } = mark;
  const common = { params: { checkId }, tabIndex: isLast ? 0 : -1 };
  const label =
    runs === 1 && run !== null
      ? words.failedAt(moment(at), run.failure?.message ?? '')
      : words.failedMany(count(runs), moment(at));
  const icon = <StateIcon state="failing" isNamed={false} size={14} />;
  const node =
    runs === 1 && run !== null ? (
      <Link
        to="/checks/$checkId/results/$resultId"
        {...common}
        params={{ checkId, resultId: run.id }}
        aria-label={label}
      >
        {icon}
      </Link>
    ) : (
      <Link
        to="/checks/$checkId"
        {...common}
        search={{ tab: 'runs', runs: 'failed', until: new Date(until + 1_000).toISOString() }}
        aria-label={label}
      >
        {icon}
      </Link>
    );
  return { at, key: String(at), node: <Tooltip content={label}>{node}</Tooltip> };
}

import { healthText } from '#renderer/messages/appliance.ts';
import { text } from '#renderer/messages/messages.ts';
import { count, milliseconds } from '#renderer/parts/format.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { TimeChart } from '#renderer/parts/time-chart.tsx';
import type { VitalsSample } from '#shared/self-monitoring/vitals.ts';
import styles from './health-screen.module.css';
import { perSecond } from './per-second.ts';

const words = healthText;
const HOUR_MS = 3_600_000;
const HEIGHT = 140;

/** The same numbers over the last hour. */
export function HourCharts({
  samples,
  everyMs,
}: {
  samples: readonly VitalsSample[];
  everyMs: number;
}) {
  const last = samples.at(-1);
  if (last === undefined || samples.length < 2) return null;
  const times = samples.map(({ at }) => at);
  const range = { from: Math.max(times[0] ?? 0, last.at - HOUR_MS), to: last.at, times };
  const charts = [
    {
      title: words.chartRuns,
      values: samples.map(({ runs }) => perSecond(runs, everyMs)),
      format: (value: number) => value.toFixed(1),
    },
    {
      title: words.chartLate,
      values: samples.map(({ lateMs }) => lateMs),
      format: milliseconds,
    },
    {
      title: words.chartStandstill,
      values: samples.map(({ standstillMs }) => standstillMs),
      format: milliseconds,
    },
    {
      title: words.chartMemory,
      values: samples.map(({ memoryBytes }) => memoryBytes),
      format: (value: number) => text.parts.bytes.MB(count(value / 1e6)),
    },
  ];
  return (
    <div className={styles.charts}>
      {charts.map(({ title, values, format }) => (
        <Panel key={title} title={title}>
          <TimeChart
            label={title}
            {...range}
            lines={[{ label: title, colour: '--chart-line', values }]}
            height={HEIGHT}
            format={format}
          />
        </Panel>
      ))}
    </div>
  );
}

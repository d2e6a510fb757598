import type { ShownCheck } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { milliseconds } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { ChartLegend, TimeChart } from '#renderer/parts/time-chart.tsx';
import { timesOf, valuesAt } from './chart-data.ts';
import { CHART_METRICS, LINE_COLOURS } from './metrics.ts';
import type { Report } from './queries.ts';

const words = text.check.chart;
const HEIGHT = 180;
const MAX_LOCATIONS = LINE_COLOURS.length;

interface PartChartProps {
  check: ShownCheck;
  report: Report;
}

const colourAt = (index: number) => LINE_COLOURS[index % LINE_COLOURS.length] ?? '--chart-line';

/** The phases of runs one on the other, or what else is measured of them. */
export function PartsChart({ check, report }: PartChartProps) {
  const { phases, others } = CHART_METRICS[check.checkType];
  const isStacked = phases.length > 0;
  const names = isStacked ? phases : others;
  const times = timesOf(report.buckets, report.bucketMs, check);
  const lines = names.map((name, index) => ({
    label: PHASE_LABELS[name] ?? report.labels[`${name}_p50`] ?? name,
    colour: colourAt(index),
    values: valuesAt(times, report.buckets, `${name}_p50`),
  }));
  if (lines.length === 0 || times.length === 0) return null;
  const title = isStacked ? words.phases : words.others;
  return (
    <Panel title={title} note={<ChartLegend lines={lines} />}>
      <TimeChart
        label={title}
        {...{ from: report.from, to: report.to, times, lines, isStacked }}
        height={HEIGHT}
        format={milliseconds}
      />
    </Panel>
  );
}

const { phases } = text.parts;
const PHASE_LABELS: Readonly<Record<string, string>> = {
  dns: phases.dns,
  tcp: phases.tcp,
  connection: phases.tcp,
  firstByte: phases.firstByte,
  download: phases.download,
  data: phases.data,
};

/** The same check from several places. */
export function LocationsChart({ check, report }: PartChartProps) {
  const { main } = CHART_METRICS[check.checkType];
  const rows = report.locations.flatMap((one) => one.rows).toSorted((a, b) => a.at - b.at);
  const distinct = rows.filter(({ at }, index) => at !== rows[index - 1]?.at);
  const times = timesOf(distinct, report.bucketMs, check);
  const lines = report.locations.slice(0, MAX_LOCATIONS).map(({ location, rows: own }, index) => ({
    label: locationName(location),
    colour: colourAt(index),
    values: valuesAt(times, own, `${main}_p50`),
  }));
  if (lines.length < 2) return null;
  return (
    <Panel title={words.locations} note={<ChartLegend lines={lines} />}>
      <TimeChart
        label={words.locations}
        {...{ from: report.from, to: report.to, times, lines }}
        height={HEIGHT}
        format={milliseconds}
      />
    </Panel>
  );
}

import type { CheckType } from '#shared/checks/enums.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { statusWord } from '#shared/results/check-status.ts';
import {
  type Bounds,
  DURATION_BOUNDS,
  histogramLines,
  histogramWidth,
  observe,
  TIMING_BOUNDS,
} from './histogram.ts';

export const RUN_STATUSES = ['passing', 'failing', 'degraded'] as const;

interface Timings {
  /** Of the histogram. */
  name: string;
  help: string;
  bounds: Bounds;
  /** The value of the label `type`, where there is one, and the number of a result that it counts. */
  types: readonly { label: string | null; metric: string }[];
}

const phases = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([label, metric]) => ({ label, metric }));

const HTTP_PHASES = phases({
  wait: 'wait',
  dns: 'dns',
  tcp: 'tcp',
  first_byte: 'firstByte',
  download: 'download',
  total: 'total',
});
const WHOLE = [{ label: null, metric: 'responseTime' }] as const;

/** The histogram of each type of check; null: it has none. */
export const TIMINGS: { readonly [T in CheckType]: Timings | null } = {
  API: timing('api_check', 'the request of an API check', HTTP_PHASES),
  URL: timing('url_monitor', 'the request of a URL monitor', HTTP_PHASES),
  TCP: timing(
    'tcp_monitor',
    'a TCP connection',
    phases({ dns: 'dns', connection: 'connection', data: 'data', total: 'total' }),
  ),
  ICMP: timing(
    'icmp_monitor',
    'the pings of a run',
    phases({
      dns: 'dns',
      latency_avg: 'latencyAvg',
      latency_min: 'latencyMin',
      latency_max: 'latencyMax',
    }),
  ),
  DNS: timing('dns_monitor', 'a DNS query', phases({ total: 'total' })),
  BROWSER: duration('browser_check', 'a browser check'),
  MULTI_STEP: duration('multistep_check', 'a multi-step check'),
  PLAYWRIGHT: null,
  HEARTBEAT: null,
};

function timing(of: string, what: string, types: Timings['types']): Timings {
  const help = `How long the phases of ${what} took.`;
  return { name: `checkly_${of}_timing_seconds`, help, bounds: TIMING_BOUNDS, types };
}

function duration(of: string, what: string): Timings {
  const help = `How long all of ${what} took.`;
  return { name: `checkly_${of}_duration_seconds`, help, bounds: DURATION_BOUNDS, types: WHOLE };
}

type TalliedResult = Pick<
  StoredResult,
  'checkType' | 'hasFailures' | 'hasErrors' | 'isDegraded' | 'responseTime' | 'metrics'
>;

/** What is counted of the results of one check at one location. Inconclusive ones do not count. */
export class RunTally {
  readonly #timings: Timings | null;
  readonly #histograms: Float64Array;
  readonly counts = { passing: 0, failing: 0, degraded: 0 };
  /** Of the last run, 0 to 1; null where there is none. */
  packetLoss: number | null = null;

  constructor(type: CheckType) {
    this.#timings = TIMINGS[type];
    const { bounds, types } = this.#timings ?? { bounds: [], types: [] };
    this.#histograms = new Float64Array(types.length * histogramWidth(bounds));
  }

  add(result: TalliedResult): void {
    const status = statusWord(result);
    if (status === 'inconclusive') return;
    this.counts[status]++;
    const { packetLoss } = result.metrics;
    if (packetLoss !== undefined) this.packetLoss = packetLoss / 100;
    if (this.#timings === null) return;
    const { bounds, types } = this.#timings;
    for (const [index, { metric }] of types.entries()) {
      const ms = metric === 'responseTime' ? result.responseTime : result.metrics[metric];
      if (ms === undefined) continue;
      observe(this.#histograms, index * histogramWidth(bounds), bounds, ms / 1_000);
    }
  }

  /** Counts an event of a heartbeat. */
  addEvent(passes: boolean): void {
    this.counts[passes ? 'passing' : 'failing']++;
  }

  /** Adds the numbers of another tally of the same check; of losses the greater one stays. */
  addAll(other: RunTally): void {
    if (other.packetLoss !== null)
      this.packetLoss = Math.max(this.packetLoss ?? 0, other.packetLoss);
    for (const status of RUN_STATUSES) this.counts[status] += other.counts[status];
    for (const [index, number] of other.#histograms.entries()) {
      this.#histograms[index] = (this.#histograms[index] ?? 0) + number;
    }
  }

  /** The lines of its histogram; empty where nothing was counted. */
  timingLines(labels: string): string {
    if (this.#timings === null) return '';
    const { name, bounds, types } = this.#timings;
    const lines = types.map(({ label }, index) => {
      const own = label === null ? labels : `${labels},type="${label}"`;
      const at = index * histogramWidth(bounds);
      return histogramLines(name, own, { numbers: this.#histograms, at, bounds });
    });
    return lines.join('');
  }
}

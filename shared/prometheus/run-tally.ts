import type { CheckType } from '#shared/checks/enums.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { statusWord } from '#shared/results/check-status.ts';
import {
  type Bounds,
  COUNT_BOUNDS,
  DURATION_BOUNDS,
  histogramLines,
  histogramWidth,
  observe,
  TIMING_BOUNDS,
} from './histogram.ts';

export const RUN_STATUSES = ['passing', 'failing', 'degraded'] as const;

interface Histogram {
  name: string;
  help: string;
  bounds: Bounds;
  /** What the numbers of a result are divided by: 1,000 makes seconds of milliseconds. */
  divisor: 1 | 1_000;
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

const WEB_VITALS: Histogram = {
  name: 'checkly_browser_check_web_vitals_seconds',
  help: 'The web vitals of the first page of a browser check that are times.',
  bounds: TIMING_BOUNDS,
  divisor: 1_000,
  types: phases({ TTFB: 'TTFB', FCP: 'FCP', LCP: 'LCP', TBT: 'TBT' }),
};

const ERRORS: Histogram = {
  name: 'checkly_browser_check_errors',
  help: 'How many errors a run of a browser check met.',
  bounds: COUNT_BOUNDS,
  divisor: 1,
  types: phases({
    console: 'consoleErrors',
    network: 'networkErrors',
    user_script: 'userScriptErrors',
    document: 'documentErrors',
  }),
};

/** The histograms of each type of check. */
export const HISTOGRAMS: { readonly [T in CheckType]: readonly Histogram[] } = {
  API: [timing('api_check', 'the request of an API check', HTTP_PHASES)],
  URL: [timing('url_monitor', 'the request of a URL monitor', HTTP_PHASES)],
  TCP: [
    timing(
      'tcp_monitor',
      'a TCP connection',
      phases({ dns: 'dns', connection: 'connection', data: 'data', total: 'total' }),
    ),
  ],
  ICMP: [
    timing(
      'icmp_monitor',
      'the pings of a run',
      phases({
        dns: 'dns',
        latency_avg: 'latencyAvg',
        latency_min: 'latencyMin',
        latency_max: 'latencyMax',
      }),
    ),
  ],
  DNS: [timing('dns_monitor', 'a DNS query', phases({ total: 'total' }))],
  BROWSER: [duration('browser_check', 'a browser check'), WEB_VITALS, ERRORS],
  MULTI_STEP: [duration('multistep_check', 'a multi-step check')],
  PLAYWRIGHT: [],
  HEARTBEAT: [],
};

function timing(of: string, what: string, types: Histogram['types']): Histogram {
  const help = `How long the phases of ${what} took.`;
  const name = `checkly_${of}_timing_seconds`;
  return { name, help, bounds: TIMING_BOUNDS, divisor: 1_000, types };
}

function duration(of: string, what: string): Histogram {
  const help = `How long all of ${what} took.`;
  const name = `checkly_${of}_duration_seconds`;
  return { name, help, bounds: DURATION_BOUNDS, divisor: 1_000, types: WHOLE };
}

type TalliedResult = Pick<
  StoredResult,
  'checkType' | 'hasFailures' | 'hasErrors' | 'isDegraded' | 'responseTime' | 'metrics'
>;

/** What is counted of the results of one check at one location. Inconclusive ones do not count. */
export class RunTally {
  readonly #histograms: readonly Histogram[];
  /** Those of each type of each histogram, one after the other. */
  readonly #numbers: Float64Array;
  readonly counts = { passing: 0, failing: 0, degraded: 0 };
  /** Of the last run, 0 to 1; null where there is none. */
  packetLoss: number | null = null;

  constructor(type: CheckType) {
    this.#histograms = HISTOGRAMS[type];
    this.#numbers = new Float64Array(widthOf(this.#histograms));
  }

  add(result: TalliedResult): void {
    const status = statusWord(result);
    if (status === 'inconclusive') return;
    this.counts[status]++;
    const { packetLoss } = result.metrics;
    if (packetLoss !== undefined) this.packetLoss = packetLoss / 100;
    let at = 0;
    for (const { bounds, divisor, types } of this.#histograms) {
      for (const { metric } of types) {
        const number = metric === 'responseTime' ? result.responseTime : result.metrics[metric];
        if (number !== undefined) observe(this.#numbers, at, bounds, number / divisor);
        at += histogramWidth(bounds);
      }
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
    for (const [index, number] of other.#numbers.entries()) {
      this.#numbers[index] = (this.#numbers[index] ?? 0) + number;
    }
  }

  /** The lines of one of its histograms; empty where nothing was counted. */
  linesOf(histogram: Histogram, labels: string): string {
    const place = this.#histograms.indexOf(histogram);
    if (place < 0) return '';
    const { name, bounds, types } = histogram;
    const first = widthOf(this.#histograms.slice(0, place));
    const lines = types.map(({ label }, index) => {
      const own = label === null ? labels : `${labels},type="${label}"`;
      const at = first + index * histogramWidth(bounds);
      return histogramLines(name, own, { numbers: this.#numbers, at, bounds });
    });
    return lines.join('');
  }
}

/** How many numbers histograms have. */
function widthOf(histograms: readonly Histogram[]): number {
  return histograms.reduce(
    (sum, { types, bounds }) => sum + types.length * histogramWidth(bounds),
    0,
  );
}

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { LoopDelay } from '#main/platform/loop-delay.ts';
import type { Engines } from '#main/services/services.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { statusWord } from '#shared/results/check-status.ts';
import { OFFLINE_REASONS } from '#shared/self-monitoring/connectivity.ts';

/** The metrics of the appliance: process, checks by state, runs, connectivity. */
export function createMetrics(engines: Engines, registry = new Registry()): Registry {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  replaceLagGauges(registry);
  // Gauges whose names end as only counters' may; the same numbers stand in those without `_total`.
  for (const name of TOTALS) registry.removeSingleMetric(name);
  addCheckGauge(engines, registry);
  addStatusGauge(engines, registry);
  addRunCounter(engines, registry);
  addConnectivityGauges(engines, registry);
  return registry;
}

const TOTALS = ['handles', 'requests', 'resources'].map((of) => `nodejs_active_${of}_total`);

/** The library's own look at the event loop, whose gauges are replaced: a day. */
const NEVER_MS = 86_400_000;

const LAGS: Record<string, (lag: LoopDelay) => number> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (lag) => lag.percentile(50),
  p90: (lag) => lag.percentile(90),
  p99: (lag) => lag.percentile(99),
};

/**
 * The event loop's lag since the last scrape, under the names of the library's own gauges. Those show
 * NaN and the largest number there is where no sample came since: here the last value stays.
 */
function replaceLagGauges(registry: Registry): void {
  const lag = new LoopDelay();
  registry.removeSingleMetric('nodejs_eventloop_lag_seconds');
  // First: it sets the others, which are read in the order of their making.
  new Gauge({
    name: 'nodejs_eventloop_lag_samples',
    help: 'Samples of the lag of the event loop since the last scrape.',
    registers: [registry],
    collect() {
      this.set(lag.samples);
      if (lag.samples === 0) return;
      for (const { gauge, read } of gauges) gauge.set(read(lag));
      lag.reset();
    },
  });
  const gauges = Object.entries(LAGS).map(([name, read]) => {
    const full = `nodejs_eventloop_lag_${name}_seconds`;
    registry.removeSingleMetric(full);
    return { read, gauge: new Gauge({ name: full, help: LAG_HELP, registers: [registry] }) };
  });
}

const LAG_HELP = 'Lag of the event loop since the last scrape, in seconds.';

function addCheckGauge({ configuration }: Engines, registry: Registry): void {
  new Gauge({
    name: 'watchpost_checks',
    help: 'Checks by type.',
    labelNames: ['check_type'],
    registers: [registry],
    collect() {
      const types = configuration.checks.all().map(({ checkType }) => checkType);
      for (const [check_type, count] of counted(CHECK_TYPES, types))
        this.set({ check_type }, count);
    },
  });
}

const STATUSES = ['passing', 'failing', 'degraded', 'inconclusive', 'unknown'] as const;

function addStatusGauge({ configuration, monitor }: Engines, registry: Registry): void {
  new Gauge({
    name: 'watchpost_check_statuses',
    help: 'Checks by where they stand: inconclusive where the last run could not be made, unknown before the first result.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      const words = configuration.checks.all().map(({ id }) => {
        const kept = monitor.statusOf(id);
        return kept === undefined ? 'unknown' : statusWord(kept);
      });
      for (const [status, count] of counted(STATUSES, words)) this.set({ status }, count);
    },
  });
}

function addRunCounter({ monitor }: Engines, registry: Registry): void {
  new Counter({
    name: 'watchpost_runs_total',
    help: 'Runs since the start: settled with a FINAL result, retried, or skipped.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      const { skipped, ...counts } = monitor.runCounts();
      const sum = Object.values(skipped).reduce((total, count) => total + count, 0);
      this.reset();
      for (const [outcome, count] of Object.entries({ ...counts, skipped: sum })) {
        this.inc({ outcome }, count);
      }
    },
  });
  new Counter({
    name: 'watchpost_skipped_slots_total',
    help: 'Slots since the start that no run was made for, by reason.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(monitor.runCounts().skipped)) {
        this.inc({ reason }, count);
      }
    },
  });
}

function addConnectivityGauges({ connectivity }: Engines, registry: Registry): void {
  new Gauge({
    name: 'watchpost_blind',
    help: '1 for each reason for which the monitor itself cannot see, else 0.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      const { reasons } = connectivity.view();
      for (const reason of OFFLINE_REASONS) this.set({ reason }, reasons.includes(reason) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'watchpost_canary_last_answer_seconds',
    help: 'When each canary answered last, in seconds since the UNIX epoch; 0 for never.',
    labelNames: ['kind', 'name'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kind, name, lastAnswerAt } of connectivity.view().probes) {
        this.set({ kind, name }, (lastAnswerAt ?? 0) / 1_000);
      }
    },
  });
}

/** How often each name occurs; a name that does not occur counts 0. */
function counted<T extends string>(names: readonly T[], found: readonly T[]): Map<T, number> {
  const counts = new Map(names.map((name) => [name, 0]));
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

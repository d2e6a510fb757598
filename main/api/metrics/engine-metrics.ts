import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { History, HistoryLoad } from '#main/store/history/history.ts';
import { StoreError } from '#main/store/store-error.ts';
import { SETTLED_STATUSES, type StoredNotification } from '#shared/notifications/notification.ts';
import { RUNNER_POOLS } from '#shared/runs/protocol.ts';

/** The engines, as far as their metrics are made of them. */
export interface EngineMetricsParts {
  registry: Registry;
  monitor: Pick<Monitor, 'listen' | 'isStoreFailing'>;
  dispatcher: { readonly inFlight: number };
  outbox: {
    readonly pending: number;
    listen(listener: (settled: StoredNotification) => void): void;
  };
  history: Pick<History, 'writeLoad' | 'readLoad'>;
}

/** Of waits that should be a few milliseconds. */
const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
/** Of runs, which end after 30 seconds at most where they are of one request. */
const RUN_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600];
/** Of waits for a browser, which may take as long as several runs. */
const WAIT_SECONDS = [0.05, 0.25, 1, 5, 15, 60, 300];

/** Adds metrics of the engines to a registry: runs, queues, notifications, the store. */
export function addEngineMetrics(parts: EngineMetricsParts): void {
  addRunMetrics(parts);
  addNotificationMetrics(parts);
  addWriteMetrics(parts);
  addLoadMetrics(parts);
}

function addRunMetrics({ registry, monitor, dispatcher }: EngineMetricsParts): void {
  const registers = [registry];
  const lateness = new Histogram({
    name: 'watchpost_run_lateness_seconds',
    help: 'How long after their slots scheduled runs began, retries apart.',
    buckets: SHORT_SECONDS,
    registers,
  });
  const wait = new Histogram({
    name: 'watchpost_browser_wait_seconds',
    help: 'How long after their slots scheduled runs of scripts began, which wait for their turn.',
    buckets: WAIT_SECONDS,
    registers,
  });
  const duration = new Histogram({
    name: 'watchpost_run_duration_seconds',
    help: 'How long the attempts of runs took, by type of check.',
    labelNames: ['check_type'],
    buckets: RUN_SECONDS,
    registers,
  });
  monitor.listen({
    result: ({ slot, attempts, startedAt, stoppedAt, checkType }) => {
      const isOnSchedule = slot !== null && attempts === 0;
      const isOfBrowsers = checkType !== 'HEARTBEAT' && RUNNER_POOLS[checkType] === 'browser';
      const late = isOfBrowsers ? wait : lateness;
      if (isOnSchedule) late.observe(Math.max(0, startedAt - slot) / 1_000);
      duration.observe({ check_type: checkType }, Math.max(0, stoppedAt - startedAt) / 1_000);
    },
    heartbeat: () => {},
  });
  gauge(
    registry,
    'runs_in_flight',
    'Attempts of runs that a runner has.',
    () => dispatcher.inFlight,
  );
}

function addNotificationMetrics({ registry, outbox }: EngineMetricsParts): void {
  const help = 'Pending notifications in memory.';
  gauge(registry, 'notifications_pending', help, () => outbox.pending);
  const settled = new Counter({
    name: 'watchpost_notifications_total',
    help: 'Notifications that are no longer pending since the start, by what became of them.',
    labelNames: ['status'],
    registers: [registry],
  });
  // With zeros, or the first failure would show no increase.
  for (const status of SETTLED_STATUSES) settled.inc({ status }, 0);
  outbox.listen(({ status }) => settled.inc({ status }));
}

function addWriteMetrics({ registry, monitor, history }: EngineMetricsParts): void {
  const latency = new Histogram({
    name: 'watchpost_store_write_seconds',
    help: 'How long transactions of the history took, with their way to its thread and back.',
    buckets: SHORT_SECONDS,
    registers: [registry],
  });
  history.writeLoad.listen((ms) => latency.observe(ms / 1_000));
  const waiting = 'Records that wait for the history, or are being written.';
  gauge(registry, 'store_records_waiting', waiting, () => history.writeLoad.waiting);
  const failing = '1 while results wait in memory as the store fails, else 0.';
  gauge(registry, 'store_failing', failing, () => Number(monitor.isStoreFailing));
}

function addLoadMetrics({ registry, history }: EngineMetricsParts): void {
  let reading: Promise<HistoryLoad> | null = null;
  // One read for a scrape: its gauges are asked at the same time.
  const read = () => {
    reading ??= history.readLoad().finally(() => {
      reading = null;
    });
    return reading;
  };
  const loads = {
    incidents_open: { member: 'openIncidents', help: 'Incidents of status pages not resolved.' },
    mailings_pending: { member: 'openMailings', help: 'Mailings to subscribers not done.' },
    database_bytes: { member: 'fileBytes', help: 'Size of the file of the history.' },
  } as const;
  for (const [name, { member, help }] of Object.entries(loads)) {
    gauge(registry, name, help, async () => (await read())[member]);
  }
}

/** A gauge of a number that is read with each scrape; while the store cannot be, the last one stays. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name: `watchpost_${name}`,
    help,
    registers: [registry],
    async collect() {
      try {
        this.set(await read());
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
    },
  });
}

import type { Registry } from 'prom-client';
import type { EgressClient } from '#main/notifications/egress/client.ts';
import type { Log } from '#main/platform/log.ts';
import { Yielding } from '#main/platform/yielding.ts';
import type { CheckGaugeSample, CheckMetrics } from '#main/services/check-metrics.ts';
import type { Clock } from '#shared/clock.ts';
import { type OtlpMetric, otlpCheckMetrics, otlpDocument, otlpMetric } from './otlp-document.ts';

export interface OtlpExportParts {
  /** Where a collector takes OTLP over HTTP, without `/v1/metrics`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  intervalSeconds: number;
  registry: Registry;
  checkMetrics: Pick<CheckMetrics, 'gauges'>;
  egress: Pick<EgressClient, 'send'>;
  clock: Clock;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

const TIMEOUT_MS = 10_000;
/** Gauges of checks in one message: some 500 kB, and a few milliseconds of work. */
const MESSAGE_SAMPLES = 1_000;

/**
 * Sends the metrics of the appliance and the gauges of checks to a collector at a pace. A message that fails
 * is not sent again: the next one has the same counters.
 */
export class OtlpExport {
  readonly #parts: OtlpExportParts;
  readonly #startedAt: number;
  #timer: unknown;
  #isClosed = false;
  #isFailing = false;

  constructor(parts: OtlpExportParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#arm();
  }

  close(): void {
    this.#isClosed = true;
    this.#parts.clock.clearTimeout(this.#timer);
  }

  #arm(): void {
    const { clock, intervalSeconds, log } = this.#parts;
    this.#timer = clock.setTimeout(() => {
      this.#export()
        .catch((error: unknown) => log.error({ err: error }, 'Metrics could not be sent.'))
        .finally(() => !this.#isClosed && this.#arm());
    }, intervalSeconds * 1_000);
  }

  /** The messages follow one another; the first that fails is the last. */
  async #export(): Promise<void> {
    for await (const metrics of this.#messages()) {
      if (this.#isClosed || !(await this.#send(metrics))) return;
    }
  }

  async *#messages(): AsyncGenerator<OtlpMetric[]> {
    const { registry, checkMetrics, clock } = this.#parts;
    const times = { startedAt: this.#startedAt, now: clock.now() };
    const own = await registry.getMetricsAsJSON();
    yield own.flatMap((metric) => otlpMetric(metric, times) ?? []);
    const pace = new Yielding();
    let samples: CheckGaugeSample[] = [];
    for (const sample of checkMetrics.gauges()) {
      samples.push(sample);
      if (pace.isDue) await pace.rest();
      if (samples.length < MESSAGE_SAMPLES) continue;
      yield otlpCheckMetrics(samples, times);
      samples = [];
    }
    if (samples.length > 0) yield otlpCheckMetrics(samples, times);
  }

  async #send(metrics: readonly OtlpMetric[]): Promise<boolean> {
    const { egress, endpoint, headers } = this.#parts;
    const outcome = await egress.send({
      method: 'POST',
      url: `${endpoint}/v1/metrics`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(otlpDocument(metrics)),
      timeoutMs: TIMEOUT_MS,
    });
    const isTaken = outcome.failure === undefined && outcome.status >= 200 && outcome.status < 300;
    this.#note(isTaken, outcome.failure === undefined ? `HTTP ${outcome.status}` : outcome.message);
    return isTaken;
  }

  /** One line when it begins to fail, and one when it works again. */
  #note(isTaken: boolean, detail: string): void {
    const { log, endpoint } = this.#parts;
    if (isTaken === !this.#isFailing) return;
    this.#isFailing = !isTaken;
    if (isTaken) log.info('The OTLP endpoint takes metrics again.');
    else log.warn({ endpoint, detail }, `The OTLP endpoint takes no metrics: ${detail}`);
  }
}

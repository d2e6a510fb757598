import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { OtlpExport } from '#main/api/metrics/otlp-export.ts';
import { EgressClient } from '#main/notifications/egress/client.ts';
import { systemResolver } from '#main/notifications/egress/resolver.ts';
import type { CheckGaugeSample } from '#main/services/check-metrics.ts';
import { Receiver } from '../../../fixtures/receiver.ts';
import { recordedLog } from '../../../fixtures/recorded-log.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';

const START = 1_000_000;

/** A clock that says when the next timer is set. */
class ToldClock extends SimulatedClock {
  #armed = Promise.withResolvers<void>();

  get nextTimer(): Promise<void> {
    return this.#armed.promise;
  }

  override setTimeout(...timer: Parameters<SimulatedClock['setTimeout']>) {
    this.#armed.resolve();
    this.#armed = Promise.withResolvers();
    return super.setTimeout(...timer);
  }
}

async function setUp(samples: readonly CheckGaugeSample[] = []) {
  const receiver = await Receiver.start();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const clock = new ToldClock(START);
  const registry = new Registry();
  const { log, lines } = recordedLog();
  let status = 200;
  receiver.answer = (response) => void response.writeHead(status).end();
  const own = new OtlpExport({
    endpoint: receiver.url,
    headers: { authorization: 'Bearer of-the-collector' },
    intervalSeconds: 60,
    registry,
    checkMetrics: { gauges: () => samples[Symbol.iterator]() as Generator<CheckGaugeSample> },
    egress: new EgressClient({ allowPrivate: true, resolve: systemResolver() }),
    clock,
    log,
  });
  onTestFinished(() => own.close());
  /** Lets an interval pass; resolves with the messages that came once all were answered. */
  const pass = async () => {
    const before = receiver.requests.length;
    const { nextTimer } = clock;
    await clock.advance(60_000);
    await nextTimer;
    return receiver.requests.slice(before).map(({ body }) => JSON.parse(body));
  };
  const answer = (next: number) => {
    status = next;
  };
  return { receiver, registry, lines, pass, answer };
}

const metricsOf = (document: {
  resourceMetrics: { scopeMetrics: { metrics: { name: string }[] }[] }[];
}) => document.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

test('a collector gets gauges, counters and histograms, each as OTLP has it', async () => {
  const { registry, receiver, pass } = await setUp();
  const registers = [registry];
  new Gauge({ name: 'depth', help: 'How deep.', registers }).set(1.5);
  const counter = new Counter({
    name: 'done_total',
    help: 'Done.',
    labelNames: ['how'],
    registers,
  });
  counter.inc({ how: 'well' }, 3);
  const times = new Histogram({
    name: 'took_seconds',
    help: 'Took.',
    buckets: [0.1, 1],
    registers,
  });
  for (const value of [0.05, 0.1, 0.5, 7]) times.observe(value);
  const [document] = await pass();
  expect(receiver.last).toMatchObject({
    method: 'POST',
    url: '/v1/metrics',
    headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-collector' },
  });
  const at = { timeUnixNano: `${START + 60_000}000000` };
  const since = { ...at, startTimeUnixNano: `${START}000000` };
  expect(document.resourceMetrics[0].resource.attributes).toContainEqual(
    text('service.name', 'watchpost'),
  );
  expect(metricsOf(document)).toEqual([
    {
      name: 'depth',
      description: 'How deep.',
      gauge: { dataPoints: [{ attributes: [], ...at, asDouble: 1.5 }] },
    },
    {
      name: 'done_total',
      description: 'Done.',
      sum: {
        isMonotonic: true,
        aggregationTemporality: 2,
        dataPoints: [{ attributes: [text('how', 'well')], ...since, asDouble: 3 }],
      },
    },
    {
      name: 'took_seconds',
      description: 'Took.',
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [
          {
            attributes: [],
            ...since,
            count: '4',
            sum: 7.65,
            explicitBounds: [0.1, 1],
            bucketCounts: ['2', '1', '1'],
          },
        ],
      },
    },
  ]);
});

test('the gauges of checks follow in messages of a thousand', async () => {
  const samples = Array.from({ length: 2_500 }, (_, n) => ({
    name: n % 2 === 0 ? 'even' : 'odd',
    help: 'x',
    labels: { check_id: String(n) },
    value: n,
  }));
  const { pass } = await setUp(samples);
  const messages = await pass();
  const points = messages.map((message) =>
    metricsOf(message).map((metric) => {
      const { name, gauge } = metric as unknown as {
        name: string;
        gauge: { dataPoints: object[] };
      };
      return `${name} ${gauge.dataPoints.length}`;
    }),
  );
  expect(points).toEqual([
    [],
    ['even 500', 'odd 500'],
    ['even 500', 'odd 500'],
    ['even 250', 'odd 250'],
  ]);
});

test('a collector that takes nothing is logged once, until it works again', async () => {
  const { pass, answer, lines } = await setUp();
  answer(503);
  await pass();
  await pass();
  answer(200);
  await pass();
  await pass();
  expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'warn The OTLP endpoint takes no metrics: HTTP 503',
    'info The OTLP endpoint takes metrics again.',
  ]);
});

test('after a message that fails the others wait for the next interval', async () => {
  const sample = { name: 'a', help: 'x', labels: {}, value: 1 };
  const { pass, answer, receiver } = await setUp([sample]);
  answer(500);
  await pass();
  expect(receiver.requests).toHaveLength(1);
  answer(200);
  await pass();
  expect(receiver.requests).toHaveLength(3);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CheckType } from '#shared/checks/enums.ts';
import { COUNT_BOUNDS, TIMING_BOUNDS } from '#shared/prometheus/histogram.ts';
import { HISTOGRAMS, RunTally } from '#shared/prometheus/run-tally.ts';

const PASSING = { hasFailures: false, hasErrors: false, isDegraded: false } as const;

/** The lines of the histograms of a type. */
const linesOf = (tally: RunTally, type: CheckType, labels = '') =>
  HISTOGRAMS[type].map((histogram) => tally.linesOf(histogram, labels)).join('');

const dnsRun = (total: number) =>
  ({ ...PASSING, checkType: 'DNS', responseTime: total, metrics: { total } }) as const;

test('a histogram counts each value in all buckets that it fits, as a plain recount does', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 60_000, noNaN: true })), (times) => {
      const tally = new RunTally('DNS');
      for (const total of times) tally.add(dnsRun(total));
      const lines = linesOf(tally, 'DNS', 'a="b"').split('\n').slice(0, -1);
      if (times.length === 0) return void expect(lines).toEqual([]);
      const name = 'checkly_dns_monitor_timing_seconds';
      const fitting = (bound: number) => times.filter((ms) => ms / 1_000 <= bound).length;
      expect(lines).toEqual([
        ...TIMING_BOUNDS.map(
          (bound) => `${name}_bucket{a="b",type="total",le="${bound}"} ${fitting(bound)}`,
        ),
        `${name}_bucket{a="b",type="total",le="+Inf"} ${times.length}`,
        `${name}_sum{a="b",type="total"} ${times.reduce((sum, ms) => sum + ms / 1_000, 0)}`,
        `${name}_count{a="b",type="total"} ${times.length}`,
      ]);
    }),
  );
});

test('a value on a bound is in the bucket of that bound', () => {
  const tally = new RunTally('DNS');
  tally.add(dnsRun(500));
  const [at, before] = [0.5, 0.25].map((bound) => `le="${bound}"} ${bound === 0.5 ? 1 : 0}`);
  expect(linesOf(tally, 'DNS')).toContain(at);
  expect(linesOf(tally, 'DNS')).toContain(before);
});

test('results count by their status, and inconclusive ones not at all', () => {
  const tally = new RunTally('DNS');
  tally.add(dnsRun(1));
  tally.add({ ...dnsRun(1), isDegraded: true });
  tally.add({ ...dnsRun(1), hasFailures: true, isDegraded: true });
  tally.add({ ...dnsRun(1), hasErrors: true });
  expect(tally.counts).toEqual({ passing: 1, degraded: 1, failing: 1 });
  expect(linesOf(tally, 'DNS')).toContain('_count{,type="total"} 3');
});

test('a number that a run does not have is not counted', () => {
  const tally = new RunTally('TCP');
  const run = { ...PASSING, checkType: 'TCP', responseTime: 5, metrics: { dns: 5 } } as const;
  tally.add(run);
  expect(linesOf(tally, 'TCP')).toContain('type="dns"');
  expect(linesOf(tally, 'TCP')).not.toContain('type="total"');
});

test('two tallies together are the tally of both', () => {
  const [one, other, both] = [new RunTally('DNS'), new RunTally('DNS'), new RunTally('DNS')];
  for (const ms of [1, 400]) one.add(dnsRun(ms));
  for (const ms of [40_000, 3]) other.add({ ...dnsRun(ms), hasFailures: true });
  for (const ms of [1, 400]) both.add(dnsRun(ms));
  for (const ms of [40_000, 3]) both.add({ ...dnsRun(ms), hasFailures: true });
  one.addAll(other);
  expect(one.counts).toEqual(both.counts);
  expect(linesOf(one, 'DNS')).toBe(linesOf(both, 'DNS'));
});

test('a browser check has a histogram of its time, of its web vitals in seconds and of its errors', () => {
  const tally = new RunTally('BROWSER');
  const metrics = { TTFB: 80, LCP: 2_600, CLS: 0.2, TBT: 0, consoleErrors: 3, documentErrors: 0 };
  const run = { ...PASSING, checkType: 'BROWSER', responseTime: 7_000, metrics } as const;
  tally.add(run);
  tally.add({ ...run, hasErrors: true });
  const lines = linesOf(tally, 'BROWSER').split('\n');
  const sums = lines.flatMap(
    (line) => /^checkly_browser_check_(.*)_sum\{,?(.*)$/.exec(line)?.slice(1).join(' ') ?? [],
  );
  expect(sums).toEqual([
    'duration_seconds } 7',
    'web_vitals_seconds type="TTFB"} 0.08',
    'web_vitals_seconds type="LCP"} 2.6',
    'web_vitals_seconds type="TBT"} 0',
    'errors type="console"} 3',
    'errors type="document"} 0',
  ]);
  const errors = lines.filter((line) => line.includes('errors_bucket{,type="console"'));
  expect(errors.map((line) => Number(line.split(' ').at(-1)))).toEqual(
    [...COUNT_BOUNDS, Number.POSITIVE_INFINITY].map((bound) => (bound >= 3 ? 1 : 0)),
  );
});

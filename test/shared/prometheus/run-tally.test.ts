import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TIMING_BOUNDS } from '#shared/prometheus/histogram.ts';
import { RunTally } from '#shared/prometheus/run-tally.ts';

const PASSING = { hasFailures: false, hasErrors: false, isDegraded: false } as const;

const dnsRun = (total: number) =>
  ({ ...PASSING, checkType: 'DNS', responseTime: total, metrics: { total } }) as const;

test('a histogram counts each value in all buckets that it fits, as a plain recount does', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 60_000, noNaN: true })), (times) => {
      const tally = new RunTally('DNS');
      for (const total of times) tally.add(dnsRun(total));
      const lines = tally.timingLines('a="b"').split('\n').slice(0, -1);
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
  expect(tally.timingLines('')).toContain(at);
  expect(tally.timingLines('')).toContain(before);
});

test('results count by their status, and inconclusive ones not at all', () => {
  const tally = new RunTally('DNS');
  tally.add(dnsRun(1));
  tally.add({ ...dnsRun(1), isDegraded: true });
  tally.add({ ...dnsRun(1), hasFailures: true, isDegraded: true });
  tally.add({ ...dnsRun(1), hasErrors: true });
  expect(tally.counts).toEqual({ passing: 1, degraded: 1, failing: 1 });
  expect(tally.timingLines('')).toContain('_count{,type="total"} 3');
});

test('a number that a run does not have is not counted', () => {
  const tally = new RunTally('TCP');
  const run = { ...PASSING, checkType: 'TCP', responseTime: 5, metrics: { dns: 5 } } as const;
  tally.add(run);
  expect(tally.timingLines('')).toContain('type="dns"');
  expect(tally.timingLines('')).not.toContain('type="total"');
});

test('two tallies together are the tally of both', () => {
  const [one, other, both] = [new RunTally('DNS'), new RunTally('DNS'), new RunTally('DNS')];
  for (const ms of [1, 400]) one.add(dnsRun(ms));
  for (const ms of [40_000, 3]) other.add({ ...dnsRun(ms), hasFailures: true });
  for (const ms of [1, 400]) both.add(dnsRun(ms));
  for (const ms of [40_000, 3]) both.add({ ...dnsRun(ms), hasFailures: true });
  one.addAll(other);
  expect(one.counts).toEqual(both.counts);
  expect(one.timingLines('x')).toBe(both.timingLines('x'));
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startApi } from '../../../fixtures/api-harness.ts';
import { hasPromtool, promtoolProblems } from '../../../fixtures/promtool.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('no metric is NaN or infinite, however soon one scrape follows another', async () => {
  for (let scrape = 0; scrape < 3; scrape++) {
    const { body } = await api.call('GET', '/metrics');
    const lines = String(body).split('\n');
    const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(samples.filter((line) => !Number.isFinite(sampleValue(line)))).toEqual([]);
    // Before its first sample a histogram has 2^63 nanoseconds as its least value.
    const lags = samples.filter((line) => /^nodejs_eventloop_lag_\w+_seconds /.test(line));
    expect(lags).toHaveLength(7);
    expect(lags.filter((line) => sampleValue(line) > 3_600)).toEqual([]);
  }
});

const sampleValue = (sample: string): number => Number(sample.slice(sample.lastIndexOf(' ')));

test.skipIf(!hasPromtool)(
  'promtool finds nothing to mend in the metrics (skipped where it is not installed)',
  async () => {
    for (let scrape = 0; scrape < 2; scrape++) {
      const { body } = await api.call('GET', '/metrics');
      expect(promtoolProblems(String(body))).toBe('');
    }
  },
);

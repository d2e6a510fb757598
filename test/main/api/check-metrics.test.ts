import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredResult } from '#shared/results/check-result.ts';
import { ACCOUNT_ID, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';
import { promtoolProblems } from '../../fixtures/promtool.ts';

const PATH = `/accounts/${ACCOUNT_ID}/v2/prometheus/metrics`;

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

async function scrape(query = ''): Promise<string[]> {
  const { status, headers, body } = await api.call('GET', `${PATH}${query}`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = String(body ?? '');
  expect(promtoolProblems(text)).toBe('');
  return text.split('\n');
}

function keep(members: Partial<StoredResult>): void {
  const result = makeResult(NOW, { id: randomUUID(), ...members });
  for (const listener of api.monitor.listeners) listener.result(result);
}

/** Of a metric, the value by the labels that tell its samples apart. */
function samplesOf(lines: readonly string[], name: string, ...by: string[]) {
  const own = lines.filter((line) => line.startsWith(`${name}{`));
  return own.map((line) => {
    const labels = by.map((label) => new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? '-');
    return [...labels, Number(line.slice(line.lastIndexOf(' ')))].join(' ');
  });
}

describe('a scrape', () => {
  test('tells how each check stands, and nothing of one that never ran', async () => {
    const checks = [makeCheck('URL'), makeCheck('API'), makeCheck('TCP'), makeCheck('DNS')];
    for (const check of checks) await api.configuration.checks.put(check);
    const [passing, failing, inconclusive] = checks.map(({ id }) => id);
    api.monitor.statuses.set(String(passing), keptStatus());
    api.monitor.statuses.set(String(failing), keptStatus({ hasFailures: true }));
    api.monitor.statuses.set(String(inconclusive), keptStatus({ hasErrors: true }));
    const statuses = samplesOf(await scrape(), 'checkly_check_status', 'check_type', 'status');
    expect(statuses).toEqual([
      ...['url passing 1', 'url failing 0', 'url degraded 0'],
      ...['api passing 0', 'api failing 1', 'api degraded 0'],
      ...['tcp passing 0', 'tcp failing 0', 'tcp degraded 0'],
    ]);
  });

  test('counts results from the first one on, which shows zeros', async () => {
    const check = makeCheck('URL');
    await api.configuration.checks.put(check);
    keep({ checkId: check.id, checkType: 'URL' });
    const of = async () => samplesOf(await scrape(), 'checkly_check_result_total', 'status');
    expect(await of()).toEqual(['passing 0', 'failing 0', 'degraded 0']);
    keep({ checkId: check.id, checkType: 'URL' });
    keep({ checkId: check.id, checkType: 'URL', hasFailures: true });
    keep({ checkId: check.id, checkType: 'URL', hasErrors: true });
    expect(await of()).toEqual(['passing 1', 'failing 1', 'degraded 0']);
  });

  test('counts attempts only where they are asked for', async () => {
    const check = makeCheck('URL');
    await api.configuration.checks.put(check);
    await scrape();
    const run = { checkId: check.id, checkType: 'URL', metrics: { total: 20 } } as const;
    keep({ ...run, resultType: 'ATTEMPT', hasFailures: true });
    keep(run);
    const of = async (query: string) => {
      const lines = await scrape(query);
      const counts = samplesOf(lines, 'checkly_check_result_total', 'status');
      return [...counts, ...samplesOf(lines, 'checkly_url_monitor_timing_seconds_count', 'type')];
    };
    expect(await of('')).toEqual(['passing 1', 'failing 0', 'degraded 0', 'total 1']);
    expect(await of('?includeRetryAttempts=true')).toEqual([
      ...['passing 1', 'failing 1', 'degraded 0', 'total 2'],
    ]);
  });

  test('sums up locations, or shows each, but for what a check has only as a whole', async () => {
    const check = makeCheck('ICMP');
    await api.configuration.checks.put(check);
    api.monitor.statuses.set(check.id, keptStatus());
    await scrape();
    const run = { checkId: check.id, checkType: 'ICMP' } as const;
    const metrics = { latencyAvg: 4, packetLoss: 0 };
    keep({ ...run, runLocation: 'eu-west-1', metrics });
    keep({ ...run, runLocation: 'us-east-1', metrics: { latencyAvg: 80, packetLoss: 25 } });
    const whole = await scrape();
    expect(samplesOf(whole, 'checkly_icmp_monitor_packet_loss_ratio', 'location')).toEqual([
      '- 0.25',
    ]);
    expect(samplesOf(whole, 'checkly_icmp_monitor_timing_seconds_count', 'location')).toEqual([
      '- 2',
    ]);
    const each = await scrape('?locationLabelEnabled=true');
    const of = (name: string, ...by: string[]) => samplesOf(each, name, 'location', ...by);
    expect(of('checkly_icmp_monitor_packet_loss_ratio')).toEqual(['eu-west-1 0', 'us-east-1 0.25']);
    expect(of('checkly_icmp_monitor_timing_seconds_count', 'type')).toEqual([
      'eu-west-1 latency_avg 1',
      'us-east-1 latency_avg 1',
    ]);
    expect(of('checkly_check_result_total', 'status').slice(0, 2)).toEqual([
      'eu-west-1 passing 1',
      'eu-west-1 failing 0',
    ]);
    expect(of('checkly_check_status').at(0)).toBe('- 1');
  });

  test('tells of browser and multi-step checks how long they took, and of the pages of the first', async () => {
    const [browser, multiStep] = [makeCheck('BROWSER'), makeCheck('MULTI_STEP')];
    for (const check of [browser, multiStep]) await api.configuration.checks.put(check);
    await scrape();
    const metrics = { TTFB: 90, CLS: 0.1, networkErrors: 2 };
    keep({ checkId: browser.id, checkType: 'BROWSER', responseTime: 4_500, metrics });
    keep({ checkId: browser.id, checkType: 'BROWSER', hasErrors: true, metrics });
    keep({ checkId: multiStep.id, checkType: 'MULTI_STEP', responseTime: 800, metrics: {} });
    const lines = await scrape();
    const sumsOf = (name: string) => samplesOf(lines, `checkly_${name}_sum`, 'check_type', 'type');
    expect(sumsOf('browser_check_duration_seconds')).toEqual(['browser - 4.5']);
    expect(sumsOf('browser_check_web_vitals_seconds')).toEqual(['browser TTFB 0.09']);
    expect(sumsOf('browser_check_errors')).toEqual(['browser network 2']);
    expect(sumsOf('multistep_check_duration_seconds')).toEqual(['multi_step - 0.8']);
  });

  test('tells of heartbeats when the last ping came and how often one should', async () => {
    const heartbeat = { period: 5, periodUnit: 'minutes', grace: 1, graceUnit: 'minutes' } as const;
    const [never, pinged] = [
      makeCheck('HEARTBEAT', { name: 'never', heartbeat }),
      makeCheck('HEARTBEAT', { name: 'pinged', heartbeat }),
    ];
    for (const check of [never, pinged]) await api.configuration.checks.put(check);
    const missed = keptStatus({ hasFailures: true, lastPingAt: NOW - 500 });
    api.monitor.statuses.set(pinged.id, missed);
    await scrape();
    for (const listener of api.monitor.listeners) {
      const event = { id: randomUUID(), checkId: pinged.id, timestamp: NOW } as const;
      listener.heartbeat({ ...event, state: 'FAILING', source: null, userAgent: null });
    }
    const lines = await scrape('?locationLabelEnabled=1');
    const of = (name: string, ...by: string[]) => samplesOf(lines, name, 'name', ...by);
    expect(of('checkly_heartbeat_last_success_timestamp_seconds')).toEqual([
      'never 0',
      `pinged ${(NOW - 500) / 1_000}`,
    ]);
    expect(of('checkly_heartbeat_expected_interval_seconds')).toEqual(['never 300', 'pinged 300']);
    expect(of('checkly_check_result_total', 'status', 'location')).toContain('pinged failing - 1');
  });

  test('tells when the certificate ends that the last run met', async () => {
    const check = makeCheck('URL');
    await api.configuration.checks.put(check);
    const certificate = { domain: 'shop.example', notAfter: NOW + 90_500 };
    api.monitor.statuses.set(check.id, keptStatus({ certificate }));
    const found = samplesOf(await scrape(), 'checkly_time_to_ssl_expiry_seconds', 'domain');
    expect(found).toEqual(['shop.example 90.5']);
  });

  test('makes labels of tags, unless it is told not to', async () => {
    const tags = ['env:"live"\n', 'check_id:none'];
    await api.configuration.checks.put(makeCheck('HEARTBEAT', { tags }));
    const name = 'checkly_heartbeat_expected_interval_seconds';
    const line = (lines: string[]) => lines.find((one) => one.startsWith(name)) ?? '';
    expect(line(await scrape())).toContain(',env="\\"live\\"\\n",tag_check_id="none"}');
    expect(line(await scrape('?disableTagParsing=true'))).toContain(
      'tags="env:\\"live\\"\\n,check_id:none"}',
    );
  });

  test('forgets a check that is deleted, whose last results may still come', async () => {
    const check = makeCheck('URL');
    await api.configuration.checks.put(check);
    await scrape();
    keep({ checkId: check.id, checkType: 'URL' });
    await api.configuration.checks.delete(check.id);
    keep({ checkId: check.id, checkType: 'URL' });
    expect((await scrape()).filter((line) => line !== '')).toEqual([]);
  });

  test('needs a key and the id of the account', async () => {
    expect((await api.call('GET', PATH, { key: null })).status).toBe(401);
    const other = PATH.replace(ACCOUNT_ID, randomUUID());
    expect((await api.call('GET', other)).status).toBe(404);
    const { status, body } = await api.call('GET', `${PATH}?locationLabelEnabled=maybe`);
    expect([status, body]).toMatchObject([400, { validation: { keys: ['locationLabelEnabled'] } }]);
  });
});

import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEngineMetrics } from '#main/api/metrics/engine-metrics.ts';
import type { Check } from '#shared/checks/check.ts';
import { CHECK_TRAITS, CHECK_TYPES } from '#shared/checks/enums.ts';
import { ACCOUNT_ID, NOW, startApi } from '../fixtures/api-harness.ts';
import { makeCheck } from '../fixtures/checks.ts';
import { makeResult } from '../fixtures/fake-check-runs.ts';
import { keptStatus } from '../fixtures/fake-monitor.ts';
import { dashboardQueries, RULES_FILE } from '../fixtures/prometheus-files.ts';
import { checkedRules, hasPromtool } from '../fixtures/promtool.ts';

/** The labels of each metric that is served, by its name. */
const served = new Map<string, Set<string>>();
/** The names of metrics, without those of a histogram's parts. */
const families = new Set<string>();
let close: () => Promise<void>;

beforeAll(async () => {
  const registry = new Registry();
  const api = await startApi({ registry });
  close = api.close;
  const { monitor, history } = api;
  const outbox = { pending: 0, listen: () => {} };
  addEngineMetrics({ registry, monitor, history, outbox, dispatcher: { inFlight: 0 } });
  await readAll(api);
  // Before the first scrape nothing is counted.
  for (const type of CHECK_TYPES) {
    const check = makeCheck(type, { name: type, tags: ['env:test'] });
    await api.configuration.checks.put(check as Check);
    const certificate = { domain: 'a.example', notAfter: NOW };
    monitor.statuses.set(check.id, keptStatus({ certificate }));
    const metrics = Object.fromEntries(CHECK_TRAITS[type].metrics.map((name) => [name, 1]));
    const result = makeResult(NOW, { checkId: check.id, checkType: type, metrics, slot: NOW });
    for (const listener of monitor.listeners) listener.result(result);
  }
  await readAll(api);
});
afterAll(() => close());

async function readAll({ call }: Awaited<ReturnType<typeof startApi>>): Promise<void> {
  for (const path of ['/metrics', `/accounts/${ACCOUNT_ID}/v2/prometheus/metrics`]) {
    const { body } = await call('GET', path);
    for (const [, name = ''] of String(body).matchAll(/^# TYPE (\w+)/gm)) families.add(name);
    for (const [, name = '', labels = ''] of String(body).matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = served.get(name) ?? new Set(['job', 'instance']);
      served.set(name, known);
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    }
  }
}

/** What a text names that is not served: metrics, and labels that a metric does not have. */
function missing(text: string): string[] {
  const named = text.matchAll(/\b((?:checkly|watchpost|nodejs|process)_\w+)(?:\{([^}]*)\})?/g);
  return [...named].flatMap(([, name = '', matchers = '']) => {
    const labels = served.get(name);
    if (labels === undefined) return [name];
    const asked = [...matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label);
    return asked.filter((label) => !labels.has(label)).map((label) => `${name}{${label}}`);
  });
}

test('each metric and label of the dashboard is served', () => {
  const queries = dashboardQueries();
  expect(queries.length).toBeGreaterThan(30);
  expect(queries.flatMap(({ query }) => missing(query))).toEqual([]);
});

describe('the alert rules', () => {
  const text = readFileSync(RULES_FILE, 'utf8');

  test('ask for nothing that is not served', () => {
    // Texts for people name rules, never metrics.
    expect(missing(text)).toEqual([]);
  });

  test.skipIf(!hasPromtool)('are what promtool takes (skipped where it is not installed)', () => {
    expect(checkedRules(RULES_FILE)).toMatch(/SUCCESS: 13 rules found/);
  });
});

test('each metric that the guide tells of is served, and each of ours is told of', () => {
  const guide = readFileSync(new URL('../../docs/guide/prometheus.md', import.meta.url), 'utf8');
  const told = [...guide.matchAll(/`((?:checkly|watchpost)_\w+)`/g)].map(([, name = '']) => name);
  expect(told.filter((name) => !families.has(name))).toEqual([]);
  const ours = [...families].filter((name) => /^(?:checkly|watchpost)_/.test(name));
  expect(ours.filter((name) => !told.includes(name))).toEqual([]);
});

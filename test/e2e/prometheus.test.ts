import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dashboardQueries, RULES_FILE } from '../fixtures/prometheus-files.ts';
import { startProcess, TEST_KEY, temporaryFolder } from '../fixtures/running-appliance.ts';

/** Of Debian's package of that name. */
const hasPrometheus = spawnSync('prometheus', ['--version']).error === undefined;

interface Answer {
  status: string;
  data: {
    activeTargets?: { health: string; lastError: string; labels: { job: string } }[];
    groups?: { rules: { name: string; health: string; lastError?: string }[] }[];
    result?: { metric: Record<string, string>; value: [number, string] }[];
  };
}

test.skipIf(!hasPrometheus)(
  'a real Prometheus scrapes both paths, and takes the rules and the queries of the dashboard (skipped where Prometheus is not installed)',
  async () => {
    const appliance = await started();
    const { id: account } = await json(await appliance.call('GET', '/v1/accounts/me'));
    const check = await appliance.call('POST', '/v1/checks/url', {
      name: 'itself "quoted"',
      tags: ['env:e2e'],
      frequency: 0,
      frequencyOffset: 10,
      request: { url: `${appliance.url}/healthz` },
    });
    const { id } = await json(check);
    const ask = await prometheusOf(appliance.url, String(account));

    const health = async () => {
      const { activeTargets = [] } = (await ask('targets')).data;
      return activeTargets.map(({ labels, health, lastError }) => [labels.job, health, lastError]);
    };
    await expect.poll(health).toEqual(
      expect.arrayContaining([
        ['checks', 'up', ''],
        ['watchpost', 'up', ''],
      ]),
    );
    const query = `checkly_check_result_total{check_id="${id}",status="passing"} > 0`;
    const results = async () => (await ask('query', { query })).data.result ?? [];
    await expect.poll(results).toEqual([
      {
        metric: expect.objectContaining({ name: 'itself "quoted"', env: 'e2e' }),
        value: [expect.any(Number), expect.any(String)],
      },
    ]);
    for (const { title, query } of dashboardQueries()) {
      expect({ title, status: (await ask('query', { query })).status }).toEqual({
        title,
        status: 'success',
      });
    }
    const rules = async () =>
      ((await ask('rules')).data.groups ?? []).flatMap((group) => group.rules);
    await expect
      .poll(async () => (await rules()).map(({ health }) => health))
      .not.toContain('unknown');
    expect((await rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
  },
);

async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

async function started() {
  const folder = await temporaryFolder();
  const appliance = await startProcess({ dataDir: folder.path });
  onTestFinished(async () => {
    await appliance.stop();
    await folder.remove();
  });
  return appliance;
}

/** Starts a Prometheus on an appliance; answers how to ask its API. */
async function prometheusOf(target: string, account: string) {
  const folder = await temporaryFolder();
  const { host } = new URL(target);
  const job = (name: string, path: string) => ({
    job_name: name,
    metrics_path: path,
    authorization: { credentials: TEST_KEY },
    static_configs: [{ targets: [host] }],
  });
  const config = join(folder.path, 'prometheus.yml');
  // JSON is YAML too.
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [RULES_FILE],
    scrape_configs: [
      job('checks', `/accounts/${account}/v2/prometheus/metrics`),
      job('watchpost', '/metrics'),
    ],
  };
  await writeFile(config, JSON.stringify(settings));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    await ended(child);
    await folder.remove();
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  return async (path: string, query: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(query)}`);
    return (await response.json()) as Answer;
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

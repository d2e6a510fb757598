import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

const SECRET = 'hush-hush-4712';

test('a run has the defaults, variables and scripts of its group around those of the check', async () => {
  const server = createServer((_, response) => response.end('body'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const appliance = await start({ WATCHPOST_PUBLIC_IP_V4: '192.0.2.1' });

  const asked = once(server, 'request') as Promise<[IncomingMessage]>;
  await appliance.call('POST', '/v2/check-groups', {
    name: 'Group',
    tags: ['shop'],
    environmentVariables: [
      { key: 'TOKEN', value: SECRET, secret: true },
      { key: 'WHOSE', value: 'group' },
    ],
    localSetupScript: "request.headers['x-order'] = 'group'",
    localTearDownScript: "response.body += ' group'",
    apiCheckDefaults: {
      url: `http://127.0.0.1:${port}`,
      headers: [
        { key: 'x-token', value: '{{TOKEN}}' },
        { key: 'X-Both', value: 'group' },
        { key: 'x-from', value: '{{PUBLIC_IP_V4}}' },
      ],
      assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: 'body check group' }],
    },
  });
  const id = await createCheck(appliance, {
    name: 'Check',
    groupId: 1,
    environmentVariables: [{ key: 'WHOSE', value: 'check' }],
    localSetupScript: "request.headers['x-order'] += ', check'",
    localTearDownScript: "response.body += ' check'",
    request: {
      method: 'GET',
      url: '{{GROUP_BASE_URL}}/path/{{WHOSE}}',
      headers: [{ key: 'x-both', value: 'check' }],
    },
  });
  const [{ url, headers }] = await asked;
  expect([url, headers]).toEqual([
    '/path/check',
    expect.objectContaining({
      'x-order': 'group, check',
      'x-token': SECRET,
      'x-both': 'check',
      'x-from': '192.0.2.1',
    }),
  ]);
  const result = await firstResult(appliance, id);
  expect(result).toContain('"hasFailures":false');
  expect(result).toContain('body check group');
  expect(result).not.toContain(SECRET);
});

async function start(env: Record<string, string>): Promise<RunningAppliance> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const appliance = await startProcess({ dataDir: folder.path, env });
  onTestFinished(() => appliance.kill());
  return appliance;
}

async function createCheck(appliance: RunningAppliance, body: object): Promise<string> {
  const created = await appliance.call('POST', '/v1/checks/api', body);
  const { id } = (await created.json()) as { id: string };
  return id;
}

/** The first result of a check, as text: the store keeps it a moment after the target was asked. */
async function firstResult(appliance: RunningAppliance, checkId: string): Promise<string> {
  for (;;) {
    const list = await appliance.call('GET', `/v1/check-results/${checkId}`);
    const [first] = (await list.json()) as { id: string }[];
    if (first === undefined) continue;
    const one = await appliance.call('GET', `/v1/check-results/${checkId}/${first.id}`);
    return one.text();
  }
}

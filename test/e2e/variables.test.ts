import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Receiver } from '../fixtures/receiver.ts';
import { startProcess, temporaryFolder } from '../fixtures/running-appliance.ts';

const SECRET = 'hush-hush-4711';

test('a secret reaches the target and nothing that people see', async () => {
  const server = createServer((request, response) => {
    response.setHeader('x-seen', String(request.headers['x-token']));
    response.end(`You sent ${request.headers['x-token']}.`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const appliance = await startProcess({ dataDir: folder.path });
  onTestFinished(() => appliance.kill());

  const asked = once(server, 'request') as Promise<[IncomingMessage]>;
  await appliance.call('POST', '/v1/variables', { key: 'TOKEN', value: SECRET, secret: true });
  const headers = [
    { key: 'x-token', value: '{{TOKEN}}' },
    { key: 'x-check', value: '{{CHECK_NAME}} of {{CHECK_TYPE}}' },
  ];
  const request = { method: 'GET', url: `http://127.0.0.1:${port}/`, headers };
  const created = await appliance.call('POST', '/v1/checks/api', { name: 'Templated', request });
  const { id } = (await created.json()) as { id: string };
  const [{ headers: received }] = await asked;
  expect(received).toMatchObject({ 'x-token': SECRET, 'x-check': 'Templated of API' });

  const result = await firstResult(appliance, id);
  expect(result).toContain('"hasFailures":false');
  expect(result).toContain('You sent ***.');
  expect(result).not.toContain(SECRET);
  expect(await appliance.stop()).toBe(0);
  for (const name of readdirSync(folder.path)) {
    const bytes = readFileSync(join(folder.path, name), 'latin1');
    expect([name, bytes.includes(SECRET)]).toEqual([name, false]);
  }
});

test('a secret that comes back as a number leaves in no result and no notification', async () => {
  const pin = 48151623;
  const target = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ pin }));
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  onTestFinished(() => void target.close());
  const { port } = target.address() as AddressInfo;
  await using receiver = await Receiver.start();
  const told = Promise.withResolvers<string>();
  receiver.answer = (response, { url, body }) => {
    response.end();
    told.resolve(`${url} ${body}`);
  };
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const env = { WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true' };
  const appliance = await startProcess({ dataDir: folder.path, env });
  onTestFinished(() => appliance.kill());

  await appliance.call('POST', '/v1/variables', { key: 'PIN', value: `${pin}`, secret: true });
  const config = { name: 'hook', url: receiver.url };
  await appliance.call('POST', '/v1/alert-channels', { type: 'WEBHOOK', config });
  const assertions = [
    { source: 'JSON_BODY', property: '$.pin', comparison: 'NOT_EQUALS', target: '{{PIN}}' },
  ];
  const created = await appliance.call('POST', '/v1/checks/api', {
    name: 'Pin',
    request: { method: 'GET', url: `http://127.0.0.1:${port}/`, assertions },
    retryStrategy: null,
  });
  const { id } = (await created.json()) as { id: string };

  const result = await firstResult(appliance, id);
  expect(JSON.parse(result)).toMatchObject({
    hasFailures: true,
    apiCheckResult: { assertions: [{ actual: '***', target: '***' }] },
  });
  const everything = [
    result,
    await told.promise,
    await (await appliance.call('GET', '/v1/check-alerts')).text(),
    await (await appliance.call('GET', '/v1/alert-notifications')).text(),
  ];
  for (const text of everything) {
    expect(text).toContain(id);
    expect(text).not.toContain(`${pin}`);
  }
});

/** The first result of a check, as text: the store keeps it a moment after the target was asked. */
async function firstResult(appliance: Appliance, checkId: string): Promise<string> {
  for (;;) {
    const list = await appliance.call('GET', `/v1/check-results/${checkId}`);
    const results = (await list.json()) as { id: string }[];
    const [first] = results;
    if (first === undefined) continue;
    const one = await appliance.call('GET', `/v1/check-results/${checkId}/${first.id}`);
    return one.text();
  }
}

type Appliance = Awaited<ReturnType<typeof startProcess>>;

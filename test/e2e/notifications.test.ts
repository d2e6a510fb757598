import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Receiver } from '../fixtures/receiver.ts';
import { startProcess, temporaryFolder } from '../fixtures/running-appliance.ts';

/** So many that their runs, spread over ten seconds, are a storm whatever their ids are. */
const CHECKS = 500;
const ENV = {
  WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true',
  // The network of a test machine says nothing about the target.
  WATCHPOST_PROBE_GATEWAY: 'false',
  WATCHPOST_PROBE_RESOLVERS: 'false',
};

let status = 200;
const everyCheckRan = Promise.withResolvers<void>();
const asked = new Set<string | undefined>();
const target = createServer(({ url }, response) => {
  asked.add(url);
  if (asked.size === CHECKS) everyCheckRan.resolve();
  response.writeHead(status).end();
});
const folder = await temporaryFolder();
beforeAll(() => new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  target.close();
  await folder.remove();
});

interface Message {
  alert_title: string;
}

test('many checks that fail and recover are three messages, and all in the log', async () => {
  await using receiver = await Receiver.start();
  const told: string[] = [];
  let heard = Promise.withResolvers<void>();
  receiver.answer = (response, { body }) => {
    told.push((JSON.parse(body) as Message).alert_title);
    response.end();
    // The first failure, the storm, the recovery.
    if (told.length > 1) heard.resolve();
  };
  const appliance = await startProcess({ dataDir: folder.path, env: ENV });
  onTestFinished(() => appliance.kill());
  const config = { name: 'hook', url: receiver.url };
  const created = await appliance.call('POST', '/v1/alert-channels', { type: 'WEBHOOK', config });
  expect(created.status).toBe(201);
  const { port } = target.address() as AddressInfo;
  await Promise.all(
    Array.from({ length: CHECKS }, (_, index) =>
      appliance.call('POST', '/v1/checks/url', {
        name: `check ${index}`,
        request: { url: `http://127.0.0.1:${port}/${index}` },
        frequency: 0,
        frequencyOffset: 10,
        retryStrategy: null,
      }),
    ),
  );
  // They fail at once only when all are there: to make them may take longer than a storm lasts.
  await everyCheckRan.promise;
  status = 503;
  await heard.promise;
  heard = Promise.withResolvers<void>();
  status = 200;
  await heard.promise;

  expect(told).toEqual([
    expect.stringMatching(/^"check \d+" has failed$/),
    `${CHECKS - 1} checks have failed`,
    `${CHECKS} checks have recovered`,
  ]);
  const log = await appliance.call('GET', '/v1/alert-notifications?limit=1');
  // An alert and a recovery of each, and the messages that stood for many.
  expect(log.headers.get('content-range')).toBe(`0-0/${2 * CHECKS + 2}`);
  const alerts = await appliance.call('GET', '/v1/check-alerts?limit=1');
  expect(alerts.headers.get('content-range')).toBe(`0-0/${2 * CHECKS}`);
  expect(await appliance.stop()).toBe(0);
}, 300_000);

import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { sendNotice } from '#main/notifications/channels/senders.ts';
import { Outbox } from '#main/notifications/outbox.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import { MemoryCollection } from '../../fixtures/memory-configuration.ts';
import { closedPort } from '../../fixtures/net/servers.ts';
import { makeChannel } from '../../fixtures/notification-contents.ts';
import { Receiver } from '../../fixtures/receiver.ts';
import { testPorts } from '../../fixtures/send-ports.ts';
import { KeptNotifications, LIMITS, owed } from './fixtures.ts';

const SECRET = 'a secret of the receiver';
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

test('a healthy receiver hears each alert once, in order and signed, beside a slow, a failing and a dead one', async () => {
  await using healthy = await Receiver.start();
  await using slow = await Receiver.start();
  await using failing = await Receiver.start();
  const heardAll = Promise.withResolvers<void>();
  healthy.answer = (response) => {
    response.end();
    if (healthy.requests.length === NAMES.length) heardAll.resolve();
  };
  const heldBack = Promise.withResolvers<ServerResponse>();
  slow.answer = (response) => heldBack.resolve(response);
  failing.answer = (response) => response.writeHead(503).end();
  const urls = [healthy.url, slow.url, failing.url, `http://127.0.0.1:${await closedPort()}`];

  const channels = new MemoryCollection<AlertChannel>();
  for (const [index, url] of urls.entries()) {
    const config = { name: `hook ${index}`, url, webhookSecret: SECRET };
    await channels.put(makeChannel('WEBHOOK', config, { id: `${index}` }));
  }
  const store = new KeptNotifications();
  const desk = new Outbox({
    isNetworkDown: () => false,
    history: store,
    channels,
    limits: { ...LIMITS, stormAlerts: 0 },
    clock: systemClock,
    log: pino({ level: 'silent' }),
    send: (channel, notice) => sendNotice(channel, notice, testPorts({ now: systemClock.now })),
  });
  await desk.start();

  // As old as if they had waited: nothing is to be gathered.
  const at = Date.now() - 60_000;
  for (const [index, name] of NAMES.entries()) {
    const alerts = urls.map((_, channel) =>
      owed(name, at + index, { channelId: `${channel}`, notice: { error: null } }),
    );
    await store.write({ notifications: alerts });
    desk.enqueue(alerts);
  }
  await heardAll.promise;
  (await heldBack.promise).end();
  await desk.stop();

  const bodies = healthy.requests.map(({ body }) => JSON.parse(body) as { check_name: string });
  expect(bodies.map(({ check_name }) => check_name)).toEqual(NAMES);
  for (const { body, headers } of healthy.requests) {
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    expect(headers['x-checkly-signature']).toBe(signature);
  }
  const ofChannel = (channel: number) =>
    [...store.byId.values()].filter(({ channelId }) => channelId === `${channel}`);
  expect(ofChannel(0).map(({ status, tries }) => [status, tries])).toEqual(
    NAMES.map(() => ['SUCCESS', 1]),
  );
  expect(ofChannel(2)[0]).toMatchObject({
    status: 'PENDING',
    tries: 1,
    outcome: expect.stringMatching(/^HTTP 503 in \d+ ms$/),
  });
  expect(ofChannel(3)[0]).toMatchObject({
    status: 'PENDING',
    tries: 1,
    outcome: expect.stringMatching(/^CONNECTION_FAILED after \d+ ms/),
  });
  expect(ofChannel(1)[0]).toMatchObject({ status: 'SUCCESS', tries: 1 });
  expect([slow.requests.length, failing.requests.length]).toEqual([1, 1]);
});

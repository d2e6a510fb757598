import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Receiver } from '../fixtures/receiver.ts';
import { startProcess } from '../fixtures/running-appliance.ts';
import { canMountDisks, mountSmallDisk } from '../fixtures/small-disk.ts';

test.skipIf(!canMountDisks())(
  'on a full disk people hear that the monitor is blind, and of targets once it keeps again',
  async () => {
    using disk = mountSmallDisk();
    await using receiver = await Receiver.start();
    const counts = new Map<string, number>();
    const heard = new Map<string, PromiseWithResolvers<void>>();
    const hear = (title: string) => {
      const known = heard.get(title) ?? Promise.withResolvers<void>();
      heard.set(title, known);
      return known;
    };
    receiver.answer = (response, { body }) => {
      response.end();
      const { alert_title: title } = JSON.parse(body) as { alert_title: string };
      counts.set(title, (counts.get(title) ?? 0) + 1);
      hear(title).resolve();
    };
    let status = 200;
    const firstRun = Promise.withResolvers<void>();
    const failingRun = Promise.withResolvers<void>();
    const target = createServer((_request, response) => {
      response.writeHead(status).end();
      (status === 200 ? firstRun : failingRun).resolve();
    });
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    onTestFinished(() => void target.close());

    const appliance = await startProcess({
      dataDir: join(disk.path, 'data'),
      env: { WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true', WATCHPOST_OFFLINE_ALERT_AFTER: '1' },
    });
    onTestFinished(() => appliance.kill());
    const config = { name: 'hook', url: receiver.url };
    await appliance.call('POST', '/v1/alert-channels', { type: 'WEBHOOK', config });
    const { port } = target.address() as AddressInfo;
    const request = { url: `http://127.0.0.1:${port}/` };
    const check = { name: 'Shop', request, frequency: 0, frequencyOffset: 10, retryStrategy: null };
    const created = await appliance.call('POST', '/v1/checks/url', check);
    expect(created.status).toBe(201);
    await firstRun.promise;

    disk.fill();
    await hear('The monitor itself is blind').promise;
    const ready = await appliance.call('GET', '/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ message: expect.stringMatching(/^The store (?:fails|cannot)/) }),
    ]);
    status = 503;
    await failingRun.promise;
    expect(heard.has('"Shop" has failed')).toBe(false);

    disk.makeRoom();
    await hear('The monitor can see again').promise;
    await hear('"Shop" has failed').promise;
    expect((await appliance.call('GET', '/readyz')).status).toBe(200);
    // What waited for the store is told once.
    expect(counts.get('"Shop" has failed')).toBe(1);
    expect(await appliance.stop()).toBe(0);
  },
  180_000,
);

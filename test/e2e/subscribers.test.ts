import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { SmtpSink, type TakenMail } from '../fixtures/smtp-sink.ts';

const KILLS = 5;
const READERS = 100;

test('verified subscribers of pages with an affected service hear of an update once, and of no edit', async () => {
  await using scene = await Scene.start();
  const [shop, other] = [await scene.service('Shop'), await scene.service('Other')];
  const page = await scene.page('acme', shop);
  const elsewhere = await scene.page('elsewhere', other);
  await scene.subscribe(page, ['ann@x.test', 'ben@x.test']);
  await scene.subscribe(elsewhere, ['eve@x.test']);
  await scene.subscribe(page, ['pending@x.test'], false);
  await scene.until(1);

  const incident = await scene.post('/v1/status-pages/incidents', {
    name: 'Payments fail',
    severity: 'MAJOR',
    services: [{ id: shop }],
    incidentUpdates: [{ description: 'We see **errors**.', notifySubscribers: true }],
  });
  await scene.until(3);
  const updates = `/v1/status-pages/incidents/${incident.id}/incident-updates`;
  const quiet = await scene.post(updates, { description: 'Nobody is mailed of this.' });
  const edit = { description: 'Nor of this.', notifySubscribers: true };
  expect((await scene.appliance.call('PUT', `${updates}/${quiet.id}`, edit)).status).toBe(200);
  const last = { description: 'Over.', status: 'RESOLVED', notifySubscribers: true };
  await scene.post(updates, last);
  await scene.until(5);

  const heard = scene.sink.mails.map(({ to, source }) => [
    to,
    /^Subject: (.*)$/m.exec(source)?.[1],
  ]);
  expect(heard).toEqual([
    ['pending@x.test', 'acme: Please confirm your subscription'],
    ['ann@x.test', 'Payments fail: Incident created'],
    ['ben@x.test', 'Payments fail: Incident created'],
    ['ann@x.test', 'Payments fail: Resolved'],
    ['ben@x.test', 'Payments fail: Resolved'],
  ]);
  const unsubscribe = /^List-Unsubscribe:\s+<(.*)>$/im.exec(scene.sink.mails[3]?.source ?? '')?.[1];
  const oneClick = {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  };
  expect((await fetch(unsubscribe ?? '', oneClick)).status).toBe(200);
  await scene.post(updates, { ...last, description: 'Once more.' });
  await scene.until(6);
  expect(scene.sink.mails.at(-1)?.to).toBe('ben@x.test');
  expect(await scene.appliance.stop()).toBe(0);
});

test('over kill -9 in the middle of a mailing nobody is left out, and one mail at most comes twice a kill', async () => {
  await using scene = await Scene.start();
  const shop = await scene.service('Shop');
  const page = await scene.page('acme', shop);
  const readers = Array.from(
    { length: READERS },
    (_, n) => `reader-${String(n).padStart(3, '0')}@x.test`,
  );
  await scene.subscribe(page, readers);
  await scene.post('/v1/status-pages/incidents', {
    name: 'Payments fail',
    severity: 'MAJOR',
    services: [{ id: shop }],
    incidentUpdates: [{ description: 'We see errors.', notifySubscribers: true }],
  });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await scene.until(Math.floor((kill * READERS) / (KILLS + 1)));
    await scene.restart();
  }
  await scene.hasHeard(readers);
  const twice = scene.sink.mails.length - READERS;
  expect(twice).toBeLessThanOrEqual(KILLS);
  const ids = new Set(
    scene.sink.mails.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1]),
  );
  expect(ids.size).toBe(READERS);
  expect(await scene.appliance.stop()).toBe(0);
});

test('an alert is sent at once while a mailing waits for its rate', async () => {
  await using scene = await Scene.start({ WATCHPOST_SUBSCRIBER_MAILS_PER_MINUTE: '2' });
  const shop = await scene.service('Shop');
  const page = await scene.page('acme', shop);
  await scene.subscribe(page, ['ann@x.test', 'ben@x.test', 'cat@x.test']);
  await scene.post('/v1/status-pages/incidents', {
    name: 'Payments fail',
    severity: 'MAJOR',
    services: [{ id: shop }],
    incidentUpdates: [{ description: 'We see errors.', notifySubscribers: true }],
  });
  await scene.until(2);
  await scene.post('/v1/alert-channels', { type: 'EMAIL', config: { address: 'ops@x.test' } });
  await scene.post('/v1/checks/url', {
    name: 'closed port',
    request: { url: 'http://127.0.0.1:9' },
    frequency: 60,
  });
  await scene.until(3);
  expect(scene.sink.mails.map(({ to }) => to)).toEqual(['ann@x.test', 'ben@x.test', 'ops@x.test']);
  expect(await scene.appliance.stop()).toBe(0);
});

/** An appliance with a real mail server. */
class Scene {
  readonly sink: SmtpSink;
  appliance: RunningAppliance;
  readonly #restart: () => Promise<RunningAppliance>;
  readonly #arrived = new EventEmitter<{ mail: [TakenMail] }>();

  private constructor(
    sink: SmtpSink,
    appliance: RunningAppliance,
    restart: () => Promise<RunningAppliance>,
  ) {
    this.sink = sink;
    this.appliance = appliance;
    this.#restart = restart;
    sink.onMail = (mail) => void this.#arrived.emit('mail', mail);
  }

  static async start(env: Record<string, string> = {}): Promise<Scene> {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const sink = await SmtpSink.start();
    const start = () =>
      startProcess({
        dataDir: folder.path,
        env: {
          WATCHPOST_ALLOW_PRIVATE_EGRESS: '127.0.0.0/8',
          WATCHPOST_PROBE_GATEWAY: 'false',
          WATCHPOST_PROBE_RESOLVERS: 'false',
          WATCHPOST_SMTP_HOST: '127.0.0.1',
          WATCHPOST_SMTP_PORT: String(sink.port),
          WATCHPOST_SUBSCRIBER_MAILS_PER_MINUTE: '10000',
          ...env,
        },
      });
    return new Scene(sink, await start(), start);
  }

  async restart(): Promise<void> {
    await this.appliance.kill();
    this.appliance = await this.#restart();
  }

  async post(path: string, body: unknown): Promise<{ id: string }> {
    const answer = await this.appliance.call('POST', path, body);
    const text = await answer.text();
    expect(answer.ok, text).toBe(true);
    return JSON.parse(text) as { id: string };
  }

  async service(name: string): Promise<string> {
    return (await this.post('/v1/status-pages/services', { name })).id;
  }

  async page(url: string, serviceId: string): Promise<string> {
    const cards = [{ name: 'All', services: [{ id: serviceId }] }];
    return (await this.post('/v1/status-pages', { name: url, url, cards })).id;
  }

  async subscribe(pageId: string, addresses: readonly string[], autoVerify = true): Promise<void> {
    const subscriptions = addresses.map((config) => ({ type: 'EMAIL', config }));
    const path = `/v1/status-pages/${pageId}/subscriptions/bulk`;
    await this.post(path, { subscriptions, autoVerify });
  }

  /** Waits until so many mails have come. */
  async until(mails: number): Promise<void> {
    while (this.sink.mails.length < mails) await once(this.#arrived, 'mail');
  }

  async hasHeard(addresses: readonly string[]): Promise<void> {
    const missing = () => {
      const heard = new Set(this.sink.mails.map(({ to }) => to));
      return addresses.some((address) => !heard.has(address));
    };
    while (missing()) await once(this.#arrived, 'mail');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.appliance.kill();
    await this.sink[Symbol.asyncDispose]();
  }
}

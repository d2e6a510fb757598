import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let appliance: RunningAppliance;

const start = () =>
  startProcess({
    dataDir: join(folder.path, 'data'),
    env: { WATCHPOST_STATUS_EXPORT_DIR: join(folder.path, 'export') },
  });

beforeAll(async () => {
  folder = await temporaryFolder();
  appliance = await start();
});
afterAll(async () => {
  await appliance.stop();
  await folder.remove();
});

async function create(path: string, body: object): Promise<{ id: string }> {
  const response = await appliance.call('POST', path, body);
  return (await response.json()) as { id: string };
}

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(appliance.url + path, { headers, redirect: 'manual' });

test('an incident shows on its page at once, and in its files; a private page stays open over a kill', async () => {
  const service = await create('/v1/status-pages/services', { name: 'Checkout' });
  const cards = [{ name: 'Shop', services: [service] }];
  await create('/v1/status-pages', { name: 'Acme', url: 'acme', cards });
  const secret = await create('/v1/status-pages', { name: 'Inside', url: 'inside', cards });
  await appliance.call('PUT', `/app/status-pages/${secret.id}/access`, {
    visibility: 'PRIVATE',
    password: 'correct horse',
  });
  expect(await (await read('/status/acme')).text()).toContain('All systems work');

  await create('/v1/status-pages/incidents', {
    name: 'Payments fail',
    severity: 'CRITICAL',
    services: [service],
    incidentUpdates: [{ description: 'We look.' }],
  });
  expect(await (await read('/status/acme')).text()).toContain('Checkout is down');
  await vi.waitFor(
    async () => {
      const file = join(folder.path, 'export/acme/index.html');
      expect(await readFile(file, 'utf8')).toContain('Checkout is down');
    },
    { timeout: 60_000 },
  );

  const login = await fetch(`${appliance.url}/status/inside/login`, {
    method: 'POST',
    body: new URLSearchParams({ password: 'correct horse' }),
    redirect: 'manual',
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  await appliance.kill();
  appliance = await start();
  expect((await read('/status/inside')).status).toBe(401);
  expect(await (await read('/status/inside', { cookie })).text()).toContain('Checkout is down');
  const session = { visibility: 'PRIVATE', password: 'another horse' };
  await appliance.call('PUT', `/app/status-pages/${secret.id}/access`, session);
  expect((await read('/status/inside', { cookie })).status).toBe(401);
});

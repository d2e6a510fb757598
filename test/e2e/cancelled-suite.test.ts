import { expect, onTestFinished, test } from 'vitest';
import { runsFolderOf } from '#main/monitoring/browser-runner-data.ts';
import { processesNaming, runsNaming } from '../fixtures/named-processes.ts';
import { startProcess, temporaryFolder } from '../fixtures/running-appliance.ts';
import { completion, create, trigger } from '../fixtures/runs-over-api.ts';
import { openShop } from '../fixtures/shop.ts';

const SPEC = `import { test } from '@playwright/test';
test('first', () => {});
test('waits', async ({ request }) => {
  await request.get(process.env.SHOP_URL + '/wait', { timeout: 0 });
});`;

test.skipIf(process.platform !== 'linux')(
  'a suite that is cancelled through the API ends at once, raises no alert, and leaves nothing',
  { timeout: 120_000 },
  async () => {
    const shop = await openShop({ password: '' });
    const folder = await temporaryFolder();
    const appliance = await startProcess({ dataDir: folder.path });
    onTestFinished(async () => {
      await appliance.kill();
      shop.close();
      await folder.remove();
    });
    const read = async (path: string) =>
      JSON.parse(await (await appliance.call('GET', path)).text());
    const id = await create(appliance, '/v1/checks/playwright', {
      name: 'Shop',
      frequency: 1_440,
      dependencies: [{ path: 'a.spec.ts', content: SPEC }],
      environmentVariables: [{ key: 'SHOP_URL', value: shop.url }],
    });
    const arrived = shop.nextWaiting();
    const session = await trigger(appliance, id);
    await arrived;
    const runs = `${runsFolderOf(folder.path)}/`;
    expect(processesNaming(runs)).not.toEqual([]);

    const { status } = await appliance.call('POST', `/v1/check-sessions/${session}/cancel`, {});
    expect(status).toBe(204);
    await completion(appliance, session);
    expect(await read(`/v2/check-sessions/${session}`)).toMatchObject({ status: 'CANCELLED' });
    await expect.poll(() => runsNaming(runs), { timeout: 20_000 }).toEqual([]);
    const results = `/v2/check-results/${id}`;
    await expect.poll(async () => (await read(results)).entries.length).toBe(1);
    const [result] = (await read(results)).entries;
    expect(result).toMatchObject({ isCancelled: true, hasErrors: true, hasFailures: false });
    expect(result.playwrightCheckResult.tests).toMatchObject([
      { title: 'first', status: 'passed' },
      { title: 'waits', status: 'interrupted' },
    ]);
    expect((await read('/v1/check-alerts')).length).toBe(0);
    expect(await appliance.stop()).toBe(0);
  },
);

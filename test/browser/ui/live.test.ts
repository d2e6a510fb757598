import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

let world: UiWorld;
beforeAll(async () => {
  world = await startUiWorld();
});
afterAll(() => world.close());

const NEVER = { frequency: 1_440, frequencyOffset: 3, retryStrategy: null };

async function createFailing(name: string): Promise<string> {
  const request = { url: 'http://127.0.0.1:9/' };
  const answer = await world.appliance.call('POST', '/v1/checks/url', { name, ...NEVER, request });
  return ((await answer.json()) as { id: string }).id;
}

async function run(checkId: string) {
  const target = { checkId: [checkId] };
  await world.appliance.call('POST', '/v2/check-sessions/trigger', { target });
}

test('titles of all pages of a browser follow what fails, over one stream', async () => {
  const { page, context } = await openPage(world);
  const second = await context.newPage();
  await second.goto('/');
  await second.getByRole('heading', { level: 1 }).waitFor();
  await run(await createFailing('Checkout'));
  for (const one of [page, second]) await expect.poll(() => one.title()).toMatch(/^\(1\) /);
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('d9584e');
});

test('a page says that the connection is lost, mends itself and shows what it missed', async () => {
  const { page } = await openPage(world);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('Watchpost does not answer').waitFor();
  await run(await createFailing('Search'));
  // It is said for three seconds only.
  const isBack = page.getByText('Connected again').waitFor();
  await page.context().setOffline(false);
  await isBack;
  await expect.poll(() => page.title()).toMatch(/^\(2\) /);
});

test('a page goes on with an appliance that was started again', async () => {
  const { page } = await openPage(world);
  await expect.poll(() => page.title()).toMatch(/^\(2\) /);
  await world.restart();
  await run(await createFailing('Login'));
  await expect.poll(() => page.title()).toMatch(/^\(3\) /);
});

test('what happens while a screen is read for the first time is shown too', async () => {
  const newsletter = await createFailing('Newsletter');
  const { page } = await openPage(world);
  await page.getByRole('link', { name: 'Newsletter' }).waitFor();
  const failing = async () => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
  const before = await failing();
  const isHeld = Promise.withResolvers<() => Promise<void>>();
  await page.route(
    '**/app/check-alerts?*',
    async (route) => {
      const response = await route.fetch();
      isHeld.resolve(() => route.fulfill({ response }));
    },
    { times: 1 },
  );
  await page.getByRole('link', { name: 'Alerts' }).first().click();
  const answer = await isHeld.promise;
  await run(newsletter);
  await expect.poll(failing).toBe(before + 1);
  await answer();
  await page.getByRole('list', { name: 'Alerts' }).getByText('Newsletter').waitFor();
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `<img src=x onerror="window.hacked=1">`;

const SHOP = `<!doctype html><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
  <h1>Shop</h1><button>Pay</button>
  <script>console.error('cart is empty ${HOSTILE.replaceAll('<', '\\x3c')}'); fetch('/missing')</script>`;

let world: UiWorld;
let shop: Server;
let url: string;
/** The addresses of results in the interface. */
const results = { browser: '', multistep: '', playwright: '' };

beforeAll(async () => {
  shop = createServer(({ url: path }, response) => {
    const isPage = path === '/';
    response.writeHead(isPage || path === '/orders' ? 200 : 404, {
      'content-type': isPage ? 'text/html' : 'application/json',
    });
    response.end(isPage ? SHOP : JSON.stringify({ order: 7, said: HOSTILE }));
  }).listen(0, '127.0.0.1');
  world = await startUiWorld();
  url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  // One after the other: each has a browser, or a program, of its own.
  results.browser = await ran('browser', { script: browserScript() });
  results.multistep = await ran('multistep', { script: multiStepScript() });
  results.playwright = await ran('playwright', { dependencies: suite() });
});
afterAll(async () => {
  shop.close();
  await world.close();
});

const browserScript = () => `import { expect, test } from '@playwright/test';
test(${JSON.stringify(`a visitor can pay ${HOSTILE}`)}, async ({ page }) => {
  console.log(${JSON.stringify(`look ${HOSTILE}`)});
  await test.step('open the shop', async () => {
    await page.goto('${url}/');
    await page.waitForLoadState('networkidle');
  });
  await expect(page.getByRole('button')).toHaveText('Buy', { timeout: 500 });
});`;

const multiStepScript = () => `import { expect, test } from '@playwright/test';
test('an order can be made', async ({ request }) => {
  const answer = await request.post('${url}/orders', { data: { item: 'tea' } });
  expect(answer.status()).toBe(200);
});`;

const suite = () => [
  {
    path: 'playwright.config.ts',
    content: `export default { projects: [{ name: 'desk' }], use: { trace: 'on' } };`,
  },
  {
    path: 'tests/shop.spec.ts',
    content: `import { test } from '@playwright/test';
test('the shop answers', async ({ page }) => {
  await page.goto('${url}/');
});`,
  },
];

/** One run of a new check; the address of its result. */
async function ran(type: string, body: object): Promise<string> {
  const { call } = world.appliance;
  const whole = { name: `Shop ${HOSTILE}`, frequency: 1_440, locations: [], doubleCheck: false };
  const { doubleCheck: _, ...suiteBody } = whole;
  const made = await call('POST', `/v1/checks/${type}`, {
    ...(type === 'playwright' ? suiteBody : whole),
    ...body,
  });
  const { id } = (await made.json()) as { id?: string };
  if (id === undefined) throw new Error(`No check: ${made.status}`);
  const asked = await call('POST', '/v2/check-sessions/trigger', { target: { checkId: [id] } });
  const { sessions } = (await asked.json()) as { sessions: [{ checkSessionId: string }] };
  const path = `/v2/check-sessions/${sessions[0].checkSessionId}/completion`;
  // 408 until it is over.
  let answer = await call('GET', path);
  while (answer.status === 408) answer = await call('GET', path);
  const { results: all } = (await answer.json()) as { results: { checkResultId: string }[] };
  return `/checks/${id}/results/${all.at(-1)?.checkResultId}`;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a browser run that failed says at which line, with its steps, picture, console and requests', async () => {
  const { page, complaints } = await openPage(world, { path: results.browser });
  const errors = part(page, 'Errors');
  await errors.getByText('check.spec.ts:8:').first().waitFor();
  await errors.getByText('> 8 |').waitFor();
  const tests = part(page, 'Tests and steps');
  await tests.getByText(`a visitor can pay ${HOSTILE}`).waitFor();
  await tests.getByText('open the shop').waitFor();
  const left = part(page, 'What the run left');
  const picture = left.getByRole('img');
  await expect
    .poll(() =>
      picture.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
    )
    .toBeGreaterThan(100);
  const row = part(page, 'Pages').getByRole('row', { name: `${url}/` });
  await row.getByRole('img', { name: 'good' }).first().waitFor();
  await part(page, 'Console').getByText(`cart is empty ${HOSTILE}`).waitFor();
  await part(page, 'Network')
    .getByRole('row', { name: /\/missing.*404/ })
    .waitFor();
  await part(page, 'Log').getByText(`look ${HOSTILE}`).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
  await shoot(page, 'browser-result');
});

test('the trace of a run opens in the viewer, by keyboard alone', async () => {
  const { page, context } = await openPage(world, { path: results.browser });
  await page.getByRole('link', { name: /^Open the trace/ }).focus();
  const opened = context.waitForEvent('page');
  await page.keyboard.press('Enter');
  const viewer = await opened;
  await viewer.getByText('open the shop').first().waitFor();
});

test('a multi-step run shows each request with what was sent and what came back', async () => {
  const { page, complaints } = await openPage(world, { path: results.multistep });
  const requests = part(page, 'Requests');
  await requests.getByText(`POST ${url}/orders`).click();
  await requests.getByText('"item"').waitFor();
  // Plain at first, then once more in colours.
  await requests.getByText('<img src=x').first().waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('a Playwright run shows its tests by project and file, and opens its report', async () => {
  const { page, context, complaints } = await openPage(world, { path: results.playwright });
  const tests = part(page, 'Tests and steps');
  await tests.getByText('desk · tests/shop.spec.ts · passed').waitFor();
  const opened = context.waitForEvent('page');
  await part(page, 'What the run left')
    .getByRole('link', { name: /index\.html$/ })
    .click();
  await (await opened).getByText('the shop answers').first().waitFor();
  expect(complaints).toEqual([]);
});

test.each(
  (['browser', 'multistep', 'playwright'] as const).flatMap((type) =>
    LOOKS.map((look) => [type, ...look] as const),
  ),
)(
  'no part of a %s result hinders anybody at %d × %d, in %s, and it fits',
  async (type, width, height, scheme) => {
    const { page } = await openPage(world, { path: results[type], width, height, scheme });
    await part(page, 'Tests and steps').waitFor();
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
    await shoot(page, `${type}-result-${width}-${scheme}`);
    expect(await axeProblems(page)).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(excess)).toBeLessThanOrEqual(0);
  },
);

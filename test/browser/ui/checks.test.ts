import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { INJECTIONS } from '../../fixtures/injections.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

let world: UiWorld;
beforeAll(async () => {
  world = await startUiWorld({}, true);
});
afterAll(() => world.close());

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

/** The names of the checks that are shown, from the top. */
async function names(page: Page): Promise<string[]> {
  const links = page.getByRole('grid').locator('a[href^="/checks/"]');
  const places = await links.evaluateAll((all) =>
    all.map((link) => [link.textContent ?? '', link.getBoundingClientRect().top] as const),
  );
  return places.toSorted(([, one], [, other]) => one - other).map(([name]) => name);
}

async function checkOf(name: string) {
  const answer = await world.appliance.call('GET', '/v1/checks?limit=100');
  const checks = (await answer.json()) as {
    id: string;
    name: string;
    muted: boolean;
    activated: boolean;
    tags: string[];
  }[];
  return checks.find((check) => check.name === name);
}

async function summaryOf(name: string): Promise<{ availability: number }> {
  const answer = await world.appliance.call('GET', '/app/summary');
  const { checks } = (await answer.json()) as { checks: { name: string; availability: number }[] };
  const summary = checks.find((one) => one.name === name);
  if (summary === undefined) throw new Error(`No summary has ${name}.`);
  return summary;
}

async function createCheck(name: string): Promise<string> {
  const body = { name, request: { url: 'http://127.0.0.1:9/' } };
  const answer = await world.appliance.call('POST', '/v1/checks/url', body);
  return ((await answer.json()) as { id: string }).id;
}

test.each(LOOKS)(
  'at %d × %d, in %s, the list of checks hinders nobody and fits',
  async (width, height, scheme) => {
    const { page, complaints } = await openPage(world, { width, height, scheme });
    await rowOf(page, 'Checkout').waitFor();
    await expect.poll(() => page.locator('svg path').count()).toBeGreaterThan(20);
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await shoot(page, `checks-${width > 700 ? scheme : `phone-${scheme}`}`);
    expect(complaints).toEqual([]);
  },
);

test('what fails stands first, with its cause, since when and in how many runs', async () => {
  const { page } = await openPage(world);
  await page.getByRole('heading', { name: '2 of 11 checks fail' }).waitFor();
  await expect.poll(() => names(page)).toHaveLength(11);
  expect((await names(page)).slice(0, 4)).toEqual([
    'Login flow',
    'Checkout',
    'Search',
    'db-1 : 5432',
  ]);
  const row = rowOf(page, 'Checkout');
  await row.getByText('Expected the status code to equal 200, got 502').waitFor();
  await row.getByText(/for \d+ min · 6 of 7 runs/).waitFor();
  // How much of the day its window reaches over depends on the hour: the tests of windows hold that number.
  const { availability } = await summaryOf('Checkout');
  expect(availability).toBeGreaterThan(96);
  expect(availability).toBeLessThan(98.5);
  await row.getByText((Math.floor(availability * 100) / 100).toFixed(2)).waitFor();
});

describe('by mouse', () => {
  test('filters stand in the address, and a link shows the same', async () => {
    const { page, context } = await openPage(world);
    await page.getByRole('button', { name: 'Failing 2' }).click();
    await expect.poll(() => names(page)).toEqual(['Login flow', 'Checkout']);
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('menuitemcheckbox', { name: /production/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('check');
    await expect.poll(() => names(page)).toEqual(['Checkout']);
    const second = await context.newPage();
    await second.goto(page.url());
    await expect.poll(() => names(second)).toEqual(['Checkout']);
    await second.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => names(second)).toHaveLength(11);
  });

  test('a filter that nothing passes says so', async () => {
    const { page } = await openPage(world, { path: '/?q=nowhere' });
    await page.getByText('No check is like this').waitFor();
  });

  test('a click opens a check, and back comes to the same list', async () => {
    const { page } = await openPage(world, { path: '/?q=cart' });
    await rowOf(page, 'Cart').getByText('API').click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/checks\/[0-9a-f-]{36}$/);
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(['Cart']);
  });

  test('a bar tells when its run was and what it found', async () => {
    const { page } = await openPage(world);
    const strip = rowOf(page, 'Checkout').getByRole('img', { name: /runs failed/ });
    const box = await strip.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 10);
    await rowOf(page, 'Checkout').locator('strong', { hasText: 'Failing' }).waitFor();
    await rowOf(page, 'Checkout')
      .getByText('Expected the status code to equal 200, got 502')
      .nth(1)
      .waitFor();
  });

  test('several are muted and unmuted by the toast', async () => {
    const { page } = await openPage(world);
    for (const name of ['Cart', 'Search']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true });
    }
    await page.getByText('2 selected').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('menuitem', { name: 'For 1 hour' }).click();
    await page.getByText('2 checks muted').waitFor();
    const id = (await checkOf('Cart'))?.id;
    const mute = await world.appliance.call('GET', `/app/checks/${id}/mute`);
    expect(await mute.json()).toEqual({ until: expect.any(String) });
    await expect.poll(async () => (await checkOf('Cart'))?.muted).toBe(true);
    await rowOf(page, 'Cart').getByRole('img', { name: 'Muted' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await checkOf('Cart'))?.muted).toBe(false);
  });

  test('a check is paused, and tagged', async () => {
    const { page } = await openPage(world);
    await page.getByRole('checkbox', { name: 'Select Product page' }).check({ force: true });
    await page.getByRole('toolbar').getByRole('button', { name: 'Tag' }).click();
    await page.getByRole('textbox', { name: 'Tag' }).fill('catalogue');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await checkOf('Product page'))?.tags)
      .toEqual(['production', 'catalogue']);
    await page.getByRole('toolbar').getByRole('button', { name: 'Pause' }).click();
    await expect.poll(async () => (await checkOf('Product page'))?.activated).toBe(false);
    await rowOf(page, 'Product page').getByRole('gridcell', { name: 'paused' }).last().waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Resume' }).click();
    await expect.poll(async () => (await checkOf('Product page'))?.activated).toBe(true);
  });

  test('a deletion is taken back, or done once the page is left', async () => {
    await createCheck('Doomed');
    const { page } = await openPage(world);
    const select = () =>
      page.getByRole('checkbox', { name: 'Select Doomed' }).check({ force: true });
    await select();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await rowOf(page, 'Doomed').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, 'Doomed').waitFor();
    expect(await checkOf('Doomed')).toBeDefined();
    await select();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => checkOf('Doomed')).toBeUndefined();
  });
});

describe('by keyboard alone', () => {
  test('j, k, x and Enter go through the list, select and open', async () => {
    const { page } = await openPage(world);
    await rowOf(page, 'Checkout').waitFor();
    for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key);
    await page.getByText('1 selected').waitFor();
    expect(await rowOf(page, 'Checkout').getAttribute('aria-selected')).toBe('true');
    const id = (await checkOf('Checkout'))?.id;
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`check-${id}`);
    await page.keyboard.press('Escape');
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/checks/${id}`);
  });

  test('/ searches, and the palette runs what is selected', async () => {
    const { page } = await openPage(world);
    await rowOf(page, 'Checkout').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('cart');
    await expect.poll(() => names(page)).toEqual(['Cart']);
    await page.keyboard.press('Escape');
    for (const key of ['j', 'x', 'Control+k']) await page.keyboard.press(key);
    await page.getByPlaceholder('Go to…').fill('run');
    await page.keyboard.press('Enter');
    await page.getByText('1 check runs now').waitFor();
  });
});

describe('live', () => {
  test('a check that comes while somebody reads waits until it is asked for', async () => {
    const { page } = await openPage(world);
    await rowOf(page, 'Checkout').hover();
    const before = await names(page);
    await createCheck('Newcomer');
    await page.getByText('1 changed place').waitFor();
    expect(await names(page)).toEqual(before);
    await page.getByRole('button', { name: 'Show' }).click();
    await rowOf(page, 'Newcomer').waitFor();
    await world.appliance.call('DELETE', `/v1/checks/${(await checkOf('Newcomer'))?.id}`);
    await rowOf(page, 'Newcomer').waitFor({ state: 'detached' });
  });

  test('where nobody is at the list it is put in order by itself', async () => {
    const { page } = await openPage(world);
    await rowOf(page, 'Checkout').waitFor();
    const id = await createCheck('Newcomer');
    await rowOf(page, 'Newcomer').waitFor();
    await world.appliance.call('DELETE', `/v1/checks/${id}`);
  });
});

test('names, tags and groups of others are text, whatever they hold', async () => {
  const ids: string[] = [];
  for (const name of INJECTIONS) {
    const body = { name, tags: [name.slice(0, 100)], request: { url: 'http://127.0.0.1:9/' } };
    const answer = await world.appliance.call('POST', '/v1/checks/url', body);
    if (answer.ok) ids.push(((await answer.json()) as { id: string }).id);
  }
  expect(ids.length).toBeGreaterThan(10);
  const { page, complaints } = await openPage(world, { height: 2_400 });
  await rowOf(page, 'Checkout').waitFor();
  await expect.poll(async () => (await names(page)).length).toBeGreaterThan(20);
  const isShown = await page.getByText(INJECTIONS[0], { exact: true }).first().isVisible();
  expect([isShown, await page.evaluate('window.hacked')]).toEqual([true, undefined]);
  expect(complaints).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1_280);
  for (const id of ids) await world.appliance.call('DELETE', `/v1/checks/${id}`);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { TEST_KEY } from '../../fixtures/running-appliance.ts';
import { LOOKS, openPage, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

let world: UiWorld;
beforeAll(async () => {
  world = await startUiWorld();
});
afterAll(() => world.close());

const home = { name: 'Checks', level: 1 } as const;

test('Ctrl+K finds a page by a part of its name, and Enter goes there', async () => {
  const { page, complaints } = await openPage(world, { path: '/nowhere' });
  await page.getByText('There is nothing at this address').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to…').fill('chec');
  await page.getByRole('option', { name: /^Checks/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', home).waitFor();
  expect(complaints).toEqual([]);
});

test('? lists the keys, and Escape closes the list', async () => {
  // On home the focus is in a field as long as there is no check.
  const { page } = await openPage(world, { path: '/alerts' });
  await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Ctrl').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a theme that was chosen stays over a reload', async () => {
  const { page } = await openPage(world, { scheme: 'light' });
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  expect(await ground()).toBe('rgb(22, 22, 20)');
  await page.reload();
  await page.getByRole('heading', home).waitFor();
  expect(await ground()).toBe('rgb(22, 22, 20)');
});

/** A page that is signed in by a key of its own, and what revokes that key. */
async function pageOfShortKey(isLive: boolean) {
  const made = await world.appliance.call('POST', '/app/sign-in', { key: TEST_KEY });
  const { accessToken } = (await made.json()) as { accessToken: string };
  const asOperator = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const created = await fetch(`${world.appliance.url}/app/keys`, {
    method: 'POST',
    headers: asOperator,
    body: JSON.stringify({ name: 'short' }),
  });
  const { id, key } = (await created.json()) as { id: string; key: string };
  const { page, complaints } = await openPage(world, { isSignedIn: false, path: '/?q=shop' });
  // A stream that never answers: the page hears of nothing but what it asks for.
  if (!isLive) await page.route('**/app/events', () => undefined);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', home).waitFor();
  const revoke = () =>
    fetch(`${world.appliance.url}/app/keys/${id}`, { method: 'DELETE', headers: asOperator });
  return { page, complaints, revoke };
}

test('a key that is revoked ends a live page: it asks once, keeps its address and goes on', async () => {
  const { page, complaints, revoke } = await pageOfShortKey(true);
  await revoke();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=shop');
  await page.getByLabel('API key').fill(TEST_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', home).waitFor();
  expect(complaints).toEqual([]);
});

test('what was asked for after the key was revoked is done once a new one is given', async () => {
  const { page, complaints, revoke } = await pageOfShortKey(false);
  await revoke();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await page.getByLabel('API key').fill(TEST_KEY);
  await page.keyboard.press('Enter');
  // What was asked for is done now: every browser is signed out.
  await page.getByRole('heading', { name: 'Sign in to Watchpost' }).waitFor();
  expect(complaints).toEqual([]);
});

test.each(LOOKS)(
  'at %d × %d, in %s, the shell hinders nobody and fits',
  async (width, height, scheme) => {
    const { page } = await openPage(world, { width, height, scheme });
    await page.getByRole('heading', home).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.getByRole('button', { name: width > 720 ? 'Account' : 'Menu' }).click();
    await page.getByRole('menu').waitFor();
    expect(await axeProblems(page, true)).toEqual([]);
  },
);

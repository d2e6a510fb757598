import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { TEST_KEY } from '../../fixtures/running-appliance.ts';
import { openPage, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';
import { watchpost } from '../../fixtures/watchpost-command.ts';

let world: UiWorld;
beforeAll(async () => {
  world = await startUiWorld();
});
afterAll(() => world.close());

const home = { name: 'Checks', level: 1 } as const;
const form = { name: 'Sign in to Watchpost' } as const;

test('who is not signed in comes to the form, and by a key back to the address asked for', async () => {
  const { page, complaints } = await openPage(world, { isSignedIn: false, path: '/?q=shop' });
  await page.getByRole('heading', form).waitFor();
  await page.getByLabel('API key').fill('wp_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('this is no API key of this appliance').waitFor();
  await page.getByLabel('API key').fill(TEST_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', home).waitFor();
  expect(new URL(page.url()).search).toBe('?q=shop');
  expect(complaints).toEqual([]);
});

test('nobody is led to another site after signing in', async () => {
  for (const to of ['https://evil.example/', '//evil.example/', 'javascript:window.hacked=1']) {
    const path = `/sign-in?to=${encodeURIComponent(to)}`;
    const { page } = await openPage(world, { isSignedIn: false, path });
    await page.getByLabel('API key').fill(TEST_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', home).waitFor();
    expect(page.url()).toBe(`${world.appliance.url}/`);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  }
});

test('the link of `watchpost open` signs in once, and its token does not stay in the address', async () => {
  const { out } = await watchpost(['open', '--data-dir', world.dataDir]);
  const link = out.trim();
  expect(link).toMatch(new RegExp(`^${world.appliance.url}/sign-in#token=[\\w-]{43}$`));
  const { page } = await openPage(world, { isSignedIn: false, path: link });
  await page.getByRole('heading', home).waitFor();
  expect(page.url()).not.toContain('token');
  const { page: second } = await openPage(world, { isSignedIn: false, path: link });
  await second.getByText('this link was used or is too old').waitFor();
  await second.getByRole('heading', form).waitFor();
});

test('signing out everywhere asks, and leaves every browser signed out', async () => {
  const [one, other] = [await openPage(world), await openPage(world)];
  await one.page.getByRole('button', { name: 'Account' }).click();
  await one.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await one.page.getByRole('heading', form).waitFor();
  await other.page.reload();
  await other.page.getByRole('heading', form).waitFor();
  expect([one.complaints, other.complaints]).toEqual([[], []]);
});

test('by keyboard alone somebody opens the menu and signs out', async () => {
  const { page } = await openPage(world);
  const account = page.getByRole('button', { name: 'Account' });
  // The field of the first check takes the focus when it comes.
  const field = page.getByRole('textbox', { name: 'URL or curl command' });
  await field.and(page.locator(':focus')).waitFor();
  await account.focus();
  await page.keyboard.press('Enter');
  // A key pressed before the menu has the focus is lost.
  const inMenu = () => page.evaluate(`document.activeElement.closest('[role="menu"]') !== null`);
  await expect.poll(inMenu).toBe(true);
  await page.keyboard.press('s');
  const focused = () => page.evaluate('document.activeElement.textContent');
  await expect.poll(focused).toBe('Sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', form).waitFor();
});

test('no script of the page can read the cookie, and no storage has a token', async () => {
  const { page, context } = await openPage(world);
  await page.getByRole('heading', home).waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/wp/);
  const [cookie] = await context.cookies(`${world.appliance.url}/app`);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/app' });
  expect(await context.cookies(`${world.appliance.url}/v1/checks`)).toEqual([]);
});

test.each(['light', 'dark'] as const)('the form hinders nobody, in %s', async (scheme) => {
  const { page } = await openPage(world, { isSignedIn: false, scheme });
  await page.getByRole('heading', form).waitFor();
  expect(await axeProblems(page)).toEqual([]);
});

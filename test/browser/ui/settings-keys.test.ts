import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import {
  focusIn,
  LOOKS,
  type OpenedPage,
  openPage,
  shoot,
  startUiWorld,
  type UiWorld,
} from '../../fixtures/ui.ts';

const HOSTILE = `ci <img src=x onerror="window.hacked=1">`;

let world: UiWorld;

beforeAll(async () => {
  world = await startUiWorld();
});
afterAll(() => world.close());

const open = (options = {}) => openPage(world, { path: '/settings/keys', ...options });

/** Makes a key on the page that is open; answers it. */
async function made({ page }: OpenedPage, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const shown = page.getByLabel('New API key');
  await shown.waitFor();
  return (await shown.textContent()) ?? '';
}

const statusOf = async (key: string) =>
  (await fetch(`${world.appliance.url}/v1/checks`, { headers: { authorization: `Bearer ${key}` } }))
    .status;

test('a key is shown once with a button that copies it, says its use, and is revoked by its name', async () => {
  const opened = await open();
  const { page, context, complaints } = opened;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const key = await made(opened, HOSTILE);
  expect(key).toMatch(/^wp_[\w-]{43}$/);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(key).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: HOSTILE }).getByText('not since the start').waitFor();
  expect(await statusOf(key)).toBe(200);
  await page.getByRole('button', { name: `Revoke ${HOSTILE}` }).click();
  const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke' });
  expect(await revoke.isDisabled()).toBe(true);
  await page.getByLabel(`Type ${HOSTILE} to confirm`).fill(HOSTILE);
  await revoke.click();
  await page.getByText(`The key ${HOSTILE} is revoked.`).waitFor();
  expect(await statusOf(key)).toBe(401);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('by keyboard alone somebody makes a key, and hears what is wrong with its name first', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'Create a key' }).focus();
  await page.keyboard.press('Enter');
  await focusIn(page, 'dialog');
  await page.getByLabel('Name').focus();
  await page.keyboard.press('Enter');
  await page.locator('input[aria-invalid=true]:focus').waitFor();
  await page.keyboard.type('night shift');
  await page.keyboard.press('Enter');
  await page.getByLabel('New API key').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('cell', { name: 'night shift', exact: true }).waitFor();
});

test('a browser that is signed in is signed out from another', async () => {
  const other = await open();
  const { page } = await open();
  const rows = page.getByRole('region', { name: 'Browsers that are signed in' }).getByRole('row');
  const others = rows.filter({ hasNotText: 'this one' }).getByRole('button');
  await others.first().waitFor();
  while ((await others.count()) > 0) {
    const before = await others.count();
    await others.first().click();
    await expect.poll(() => others.count()).toBeLessThan(before);
  }
  await other.page.reload();
  await other.page.getByRole('heading', { name: 'Sign in to Watchpost' }).waitFor();
});

test('the settings lead to their pages: by a list beside them, and by a choice where there is no room', async () => {
  const { page } = await openPage(world, { path: '/settings' });
  await page.waitForURL(/\/settings\/channels$/);
  const list = page.getByRole('navigation', { name: 'Settings' });
  await list.getByRole('link', { name: 'API keys' }).waitFor();
  const { page: phone } = await open({ width: 390, height: 844 });
  await phone.getByRole('combobox', { name: 'Settings' }).click();
  await phone.getByRole('option', { name: 'API keys' }).click();
  await phone.getByRole('heading', { name: 'API keys' }).waitFor();
});

test.each(LOOKS)('at %d × %d, in %s, it hinders nobody and fits', async (width, height, scheme) => {
  const { page } = await open({ width, height, scheme });
  await page.getByRole('table', { name: 'Browsers that are signed in' }).waitFor();
  await shoot(page, `settings-keys-${width}-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

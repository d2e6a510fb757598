import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { openPage, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

let world: UiWorld;

beforeAll(async () => {
  world = await startUiWorld({}, true);
});
afterAll(() => world.close());

/** Opens the palette on home and types. */
async function asked(text: string) {
  const opened = await openPage(world);
  await opened.page.getByRole('link', { name: 'Checkout' }).waitFor();
  await opened.page.keyboard.press('Control+k');
  await opened.page.getByPlaceholder('Go to…').fill(text);
  return opened;
}

test('a check is found by its name, and Enter goes there', async () => {
  const { page, complaints } = await asked('checko');
  await page
    .getByRole('option', { name: /^Checkout/ })
    .first()
    .waitFor();
  expect(await axeProblems(page, true)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

test('a group is found, and shows its checks', async () => {
  const { page } = await asked('platform');
  await page.getByRole('option', { name: /^Platform.*Group$/ }).click();
  await page.waitForURL(/\?q=Platform/);
});

test('a verb and a name act on a check from anywhere, and that can be taken back', async () => {
  const { page } = await asked('mute checkout');
  await page.getByRole('option', { name: 'Mute: Checkout' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to…').fill('unmute checkout');
  await page.getByRole('option', { name: 'Unmute: Checkout' }).waitFor();
});

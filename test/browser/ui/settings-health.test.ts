import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

let world: UiWorld;

beforeAll(async () => {
  // Its first numbers come ten seconds after the start: nothing here waits for them.
  world = await startUiWorld({
    WATCHPOST_SMTP_HOST: 'mail.example.com',
    WATCHPOST_SMTP_PASSWORD: 'hidden-one',
  });
});
afterAll(() => world.close());

test('health says whether all is well, and what the history takes and for how long', async () => {
  const { page, complaints } = await openPage(world, { path: '/settings/health' });
  await page.getByRole('heading', { level: 1, name: /^Watchpost / }).waitFor();
  const disk = page.getByRole('table', { name: 'Disk' });
  await disk.getByRole('row', { name: /^Results/ }).waitFor();
  await page.getByRole('meter').waitFor();
  expect(complaints).toEqual([]);
});

test('about shows what the operator changed, all settings on demand, and no secret', async () => {
  const { page, complaints } = await openPage(world, { path: '/settings/about' });
  await page.getByText('mail.example.com').waitFor();
  await page.getByText('set, not shown').first().waitFor();
  await page.getByText('WATCHPOST_STORM_ALERTS').waitFor({ state: 'detached' });
  await page.getByRole('switch', { name: 'Only those that were changed' }).focus();
  await page.keyboard.press('Space');
  await page.waitForURL(/show=all/);
  await page.getByText('WATCHPOST_STORM_ALERTS').waitFor();
  expect(await page.content()).not.toMatch(/hidden-one|wp_test_/);
  expect(complaints).toEqual([]);
});

test.each(LOOKS)('at %d × %d, in %s, they hinder nobody and fit', async (width, height, scheme) => {
  const look = { width, height, scheme };
  const { page } = await openPage(world, { ...look, path: '/settings/health' });
  await page.getByRole('table', { name: 'Disk' }).waitFor();
  await shoot(page, `settings-health-${width}-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.goto('/settings/about');
  await page.getByText('mail.example.com').waitFor();
  await shoot(page, `settings-about-${width}-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

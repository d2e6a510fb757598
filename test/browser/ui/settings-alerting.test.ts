import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidAt } from '#main/platform/uuid-at.ts';
import { openForWriting } from '#main/store/history/database.ts';
import { DEFAULT_RETENTION } from '#main/store/history/retention.ts';
import { Writer } from '#main/store/history/writer.ts';
import { axeProblems } from '../../fixtures/axe.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

/**
 * Runs of a check, 20 minutes apart: it fails three times for one run, and once for five. By hand: told of each
 * failed row at its first run it wakes 4 times, of two runs in a row once; recoveries come as often.
 */
const STORY = 'PFPPFPPFPPFFFFFPP';
const STEP_MS = 20 * 60_000;
const HOSTILE = `Checkout <img src=x onerror="window.hacked=1">`;

let world: UiWorld;

beforeAll(async () => {
  world = await startUiWorld();
  await made('/v1/maintenance-windows', {
    name: 'Nothing runs by itself',
    startsAt: '2020-01-01T00:00:00.000Z',
    endsAt: '2050-01-01T00:00:00.000Z',
    pauseAllChecks: true,
  });
  const request = { url: 'http://127.0.0.1:9/' };
  const { id } = await made('/v1/checks/url', { name: HOSTILE, frequency: 10, request });
  await world.appliance.stop();
  writeStory(id);
  await world.restart();
});
afterAll(() => world.close());

async function made(path: string, body: object): Promise<{ id: string }> {
  const answer = await world.appliance.call('POST', path, body);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

function writeStory(checkId: string): void {
  const writer = new Writer(openForWriting(world.dataDir), DEFAULT_RETENTION);
  const results = [...STORY].map((letter, index) => {
    const createdAt = Date.now() - (STORY.length - index) * STEP_MS;
    const result = {
      id: uuidAt(createdAt),
      checkId,
      checkType: 'URL' as const,
      resultType: 'FINAL' as const,
      slot: createdAt,
      runLocation: 'eu-west-1',
      ranOn: 'embedded',
      startedAt: createdAt,
      stoppedAt: createdAt,
      createdAt,
      responseTime: 1,
      checkRunId: index,
      attempts: 0,
      sequenceId: uuidAt(createdAt),
      statusCode: 200,
      failure: null,
      overMaxResponseTime: false,
      metrics: {},
      hasFailures: letter === 'F',
      hasErrors: false,
      isDegraded: false,
    };
    return { result, detail: '{}' };
  });
  for (const outcome of writer.write([{ results }])) {
    if (!outcome.kept) throw new Error('The results were not written.');
  }
  writer.close(Date.now());
}

const open = (more = '', options = {}) =>
  openPage(world, { path: `/settings/alerting${more}`, ...options });
const heading = (page: Page, text: string) => page.getByText(text, { exact: true });

/** Chooses a value of a field with a few. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

interface Account {
  alertSettings: { runBasedEscalation: { failedRunThreshold: number } };
  storms: { alerts: number };
}
const account = async () =>
  (await (await world.appliance.call('GET', '/app/account')).json()) as Account;

test('by mouse: settings say what they would have sent before they are saved', async () => {
  const { page, complaints } = await open();
  await heading(page, 'As it is, you would have been woken 4 times.').waitFor();
  await choose(page, 'Failed runs', '2 failed runs in a row');
  await heading(page, 'With these settings you would have been woken once, not 4 times.').waitFor();
  await page.getByRole('row', { name: 'Messages 8 2' }).waitFor();
  await page.getByRole('row', { name: 'First failure told after at once 3 h' }).waitFor();
  expect((await account()).alertSettings.runBasedEscalation.failedRunThreshold).toBe(1);
  await page.reload();
  await heading(page, 'With these settings you would have been woken once, not 4 times.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await heading(page, 'As it is, you would have been woken 4 times.').waitFor();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.getByRole('menuitemradio', { name: 'Last hour' }).click();
  await heading(page, 'As it is, nobody would have been woken.').waitFor();
  expect(new URL(page.url()).search).toBe('?period=1h');
  expect(complaints).toEqual([]);
});

test('by keyboard: storms are changed, with the API’s words at the field', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: /^Storms/ }).focus();
  await page.keyboard.press('Enter');
  const alerts = page.getByLabel('One message for more alerts than');
  await alerts.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('5000');
  await page.keyboard.press('Enter');
  await page.getByText(/expected a whole number from 0 to 1000/).waitFor();
  await expect.poll(() => page.locator(':focus').inputValue()).toBe('5000');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await page.getByText('Saved: it counts from the next run on.').waitFor();
  expect((await account()).storms.alerts).toBe(7);
});

test.each(LOOKS)(
  'at %d × %d, in %s, the policy hinders nobody and fits',
  async (width, height, scheme) => {
    const { page, complaints } = await open('', { width, height, scheme });
    await choose(page, 'Failed runs', '3 failed runs in a row');
    await heading(
      page,
      'With these settings you would have been woken once, not 4 times.',
    ).waitFor();
    await page.getByText('<img src=x').first().waitFor();
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await shoot(page, `alerting-${width > 700 ? scheme : `phone-${scheme}`}`);
    expect(complaints).toEqual([]);
  },
);

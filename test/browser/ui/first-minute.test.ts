import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { Receiver } from '../../fixtures/receiver.ts';
import { TEST_KEY } from '../../fixtures/running-appliance.ts';
import { openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

let world: UiWorld;
let target: Receiver;
let hook: Receiver;
let status: number;

/** A data folder with nothing in it, a service to watch and a receiver of alerts. */
beforeEach(async () => {
  status = 200;
  [target, hook, world] = await Promise.all([
    Receiver.start(),
    Receiver.start(),
    startUiWorld({ WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true' }),
  ]);
  target.answer = (response) => response.writeHead(status).end('{"status":"ok"}');
});
afterEach(async () => {
  await world.close();
  await target[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

interface Told {
  alert_type: string;
  check_name: string;
  error: string;
}

/** What the webhook was sent so far. */
const told = () => hook.requests.map(({ body }) => JSON.parse(body) as Told);

async function toldOfFailure(): Promise<void> {
  await expect
    .poll(() => told().map(({ alert_type: type }) => type), { timeout: 60_000 })
    .toEqual(['TEST', 'ALERT_FAILURE']);
  expect(told()[1]).toMatchObject({
    check_name: expect.stringContaining('127.0.0.1'),
    error: expect.stringContaining('503'),
  });
}

describe('from an empty data folder to the alert of a check that fails', () => {
  test('by mouse', async () => {
    const { page, complaints } = await openPage(world, { isSignedIn: false });
    await page.getByLabel('API key').fill(TEST_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'What should be watched?' }).waitFor();
    await page.getByRole('button', { name: 'Watch it' }).click();
    await page.getByText('Paste the address of something that should be up.').waitFor();
    await page.getByLabel('URL or curl command').fill(`${target.url}/health`);
    await page.getByRole('button', { name: 'Watch it' }).click();
    await page.getByText(/It passes, in .* ms\.$/).waitFor();
    await page.getByRole('table', { name: 'Phases of the run' }).waitFor();
    await page.getByRole('button', { name: 'Webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('on call');
    await page.getByLabel('URL', { exact: true }).fill('nowhere');
    await page.getByRole('button', { name: 'Add it and send a test' }).click();
    await page.getByText('expected an http or https URL').waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('URL', { exact: true }).fill(`${hook.url}/alerts`);
    await page.getByRole('button', { name: 'Add it and send a test' }).click();
    await page.getByText(/The test arrived · HTTP 200/).waitFor();
    expect(told()).toMatchObject([{ alert_type: 'TEST' }]);
    await page.reload();
    await page.getByText(/is watched, and you are told when it fails/).waitFor();
    status = 503;
    await page.getByRole('link', { name: 'Open the check' }).click();
    await page.getByRole('button', { name: 'Run now' }).click();
    await toldOfFailure();
    await page.getByRole('link', { name: 'Alerts' }).first().click();
    await page.getByText(/told on call · HTTP 200/).waitFor();
    // The browser says that a URL was refused, and so does its field.
    expect(complaints.filter((one) => !/status of 400/.test(one))).toEqual([]);
  });

  test('by keyboard alone, with a curl command', async () => {
    const { page, complaints } = await openPage(world, { isSignedIn: false });
    const { keyboard } = page;
    await tabTo(page, 'API key');
    await keyboard.type(TEST_KEY);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What should be watched?' }).waitFor();
    await focusIsOn(page, 'URL or curl command');
    await keyboard.type(`curl -H 'X-Probe: 1' '${target.url}/health'`);
    await keyboard.press('Enter');
    await page.getByText(/It passes, in .* ms\.$/).waitFor();
    expect(target.last.headers['x-probe']).toBe('1');
    await tabTo(page, 'Webhook');
    await keyboard.press('Enter');
    await focusIsOn(page, 'Name');
    await keyboard.type('on call');
    await tabTo(page, 'URL');
    await keyboard.type(`${hook.url}/alerts`);
    await keyboard.press('Enter');
    await page.getByText(/The test arrived · HTTP 200/).waitFor();
    status = 503;
    await tabTo(page, 'Open the check');
    await keyboard.press('Enter');
    await page.waitForURL(/\/checks\/[0-9a-f-]{36}/);
    await page.getByRole('button', { name: 'Run now' }).waitFor();
    await keyboard.press('r');
    await toldOfFailure();
    await keyboard.press('Control+k');
    await page.getByPlaceholder('Go to…').waitFor();
    await keyboard.type('alerts');
    await page.getByRole('option', { name: 'Alerts', selected: true }).waitFor();
    await keyboard.press('Enter');
    await page.getByText(/told on call · HTTP 200/).waitFor();
    expect(complaints).toEqual([]);
  });
});

test('what was pasted is kept over a reload, and nothing of it hinders anybody', async () => {
  for (const [width, height, scheme] of [
    [1_280, 800, 'light'],
    [390, 844, 'dark'],
  ] as const) {
    const { page, complaints } = await openPage(world, { width, height, scheme });
    const shot = (name: string) =>
      shoot(page, `first-${name}-${width > 700 ? scheme : `phone-${scheme}`}`);
    await page.getByLabel('URL or curl command').fill('not a <b>URL</b>');
    await page.reload();
    await expect
      .poll(() => page.getByLabel('URL or curl command').inputValue())
      .toBe('not a <b>URL</b>');
    await page.getByRole('button', { name: 'Watch it' }).click();
    await page.getByText('This is neither a URL nor a curl command.').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await shot('minute');
    await page.getByLabel('URL or curl command').fill(`${target.url}/${scheme}`);
    await page.getByRole('button', { name: 'Watch it' }).click();
    await page.getByText(/It passes, /).waitFor();
    await page.getByRole('button', { name: 'E-mail' }).click();
    await page.getByLabel('E-mail address').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await shot('result');
    expect(complaints).toEqual([]);
    await deleteChecks();
  }
});

async function deleteChecks(): Promise<void> {
  const answer = await world.appliance.call('GET', '/v1/checks');
  for (const { id } of (await answer.json()) as { id: string }[]) {
    await world.appliance.call('DELETE', `/v1/checks/${id}`);
  }
}

/** The name of what has the focus: its label, or its text. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  return name.trim();
})()`;

async function focusIsOn(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(FOCUSED)).toBe(name);
}

/** Presses Tab until something that is on the page has the focus, as somebody does who has no mouse. */
async function tabTo(page: Page, name: string): Promise<void> {
  const place = page.getByLabel(name, { exact: true }).or(page.getByText(name, { exact: true }));
  await place.first().waitFor();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(FOCUSED)) === name) return;
  }
  throw new Error(`Nobody comes to ${name} by pressing Tab`);
}

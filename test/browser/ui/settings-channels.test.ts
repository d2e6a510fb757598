import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { Receiver } from '../../fixtures/receiver.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `Pager <img src=x onerror="window.hacked=1">`;
const SECRET = 'shared-with-nobody';

let world: UiWorld;
let hook: Receiver;
let checkId: string;

beforeAll(async () => {
  [hook, world] = await Promise.all([
    Receiver.start(),
    startUiWorld({ WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true' }),
  ]);
  const check = { name: 'Checkout', frequency: 1_440, request: { url: `${hook.url}/checked` } };
  checkId = (await made('/v1/checks/url', check)).id;
  await made('/v2/check-groups', { name: 'Shop' });
});
afterAll(async () => {
  await world.close();
  await hook[Symbol.asyncDispose]();
});

async function made(path: string, body: object): Promise<{ id: string }> {
  const answer = await world.appliance.call('POST', path, body);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

interface Kept {
  id: number;
  config: Record<string, unknown>;
  sendDegraded: boolean;
  subscriptions: { checkId: string | null; groupId: number | null; activated: boolean }[];
}

async function channels(): Promise<Kept[]> {
  const answer = await world.appliance.call('GET', '/v1/alert-channels?limit=100');
  return (await answer.json()) as Kept[];
}

const kept = async (name: string) =>
  (await channels()).find(({ config }) => config.name === name || config.address === name);

const webhook = (name: string, more: object = {}) => ({
  type: 'WEBHOOK',
  config: { name, url: `${hook.url}/${encodeURIComponent(name)}`, ...more },
});

const open = (more = '', options = {}) =>
  openPage(world, { path: `/settings/channels${more}`, ...options });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('by mouse: a webhook is added with the API’s words at its field, tested, and its secret never shown', async () => {
  const { page, complaints } = await open();
  await page.getByRole('link', { name: 'Add a channel' }).first().click();
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await field(page, 'Name').fill('on call');
  await field(page, 'URL').fill('ftp://example.com');
  await page.getByRole('button', { name: 'Request' }).click();
  await field(page, 'Secret').fill(SECRET);
  await page.reload();
  await page.getByText('What you typed before is still here').waitFor();
  expect(await field(page, 'URL').inputValue()).toBe('ftp://example.com');
  await button(page, 'Add the channel').click();
  await page.getByText('expected an http or https URL').waitFor();
  await expect.poll(() => page.locator(':focus').inputValue()).toBe('ftp://example.com');
  await field(page, 'URL').fill(`${hook.url}/on-call`);
  await button(page, 'Add the channel').click();
  await page.getByRole('heading', { name: 'on call' }).waitFor();
  await button(page, 'Send a test').click();
  await page.getByText(/The test arrived · HTTP 200/).waitFor();
  expect(hook.last.headers['x-checkly-signature']).toMatch(/^[0-9a-f]{64}$/);
  expect(await field(page, 'URL').inputValue()).toBe('');
  expect(await page.content()).not.toContain(SECRET);
  await page.getByRole('switch', { name: 'Is degraded' }).click();
  await button(page, 'Save').click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const channel = await kept('on call');
  expect(channel).toMatchObject({
    config: { url: `${hook.url}/on-call`, webhookSecret: SECRET },
    sendDegraded: true,
    subscriptions: expect.arrayContaining([expect.objectContaining({ checkId })]),
  });
  // The browser says that a URL was refused, and so does its field.
  expect(complaints.filter((one) => !/status of 400/.test(one))).toEqual([]);
});

test('by keyboard: an e-mail address is added', async () => {
  const { page } = await open('/new');
  await page.getByRole('link', { name: 'E-mail', exact: true }).focus();
  await page.keyboard.press('Enter');
  await field(page, 'E-mail address').waitFor();
  await field(page, 'E-mail address').focus();
  await page.keyboard.type('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'ada@example.com' }).waitFor();
  await page.getByText('WATCHPOST_SMTP_HOST').waitFor();
  await button(page, 'Send a test').focus();
  await page.keyboard.press('Enter');
  await page.getByText(/The test did not arrive · /).waitFor();
});

test('every service has a form that the API understands, or says what it needs', async () => {
  const { page } = await open('/new');
  const services = page.getByRole('main').getByRole('listitem');
  await services.first().waitFor();
  const names = await services.allTextContents();
  expect(names.length).toBe(23);
  // The desktop needs nothing.
  for (const name of names.filter((one) => one !== 'Desktop')) {
    await services.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name: `New channel: ${name}` }).waitFor();
    await button(page, 'Add the channel').click();
    // Nothing was typed, so each is refused, and the words stand at a field.
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect([name, await page.getByRole('alert').allTextContents()]).toEqual([name, []]);
    await page.getByRole('link', { name: 'Choose another one' }).click();
  }
});

test('checks and groups are subscribed one by one, and all at once', async () => {
  const { id } = await made('/v1/alert-channels', webhook('subscribers'));
  const { page } = await open(`/${id}?part=subscriptions`);
  await page.getByText('0 checks alert it.').waitFor();
  await page.getByLabel('Search checks and groups').fill('check');
  await page.getByRole('switch', { name: 'Checkout' }).click();
  await page.getByText('1 check alerts it.').waitFor();
  await page.getByRole('switch', { name: 'Checkout' }).click();
  await page.getByText('0 checks alert it.').waitFor();
  await page.getByLabel('Search checks and groups').fill('');
  await button(page, 'Subscribe all').click();
  await page.getByText('1 check alerts it.').waitFor();
  await expect
    .poll(async () => (await kept('subscribers'))?.subscriptions.filter((one) => one.activated))
    .toHaveLength(2);
});

test('the delivery log says what was sent and what came of it, and sends again', async () => {
  const { id } = await made('/v1/alert-channels', webhook(HOSTILE));
  await world.appliance.call('PUT', `/v1/alert-channels/${id}/subscriptions`, {
    checkId,
    activated: true,
  });
  hook.answer = (response, { url }) => response.writeHead(url === '/checked' ? 503 : 200).end();
  await made('/v2/check-sessions/trigger', { target: { checkId: [checkId] } });
  const { page } = await open(`/${id}?part=log`);
  await page.getByRole('cell', { name: /^Arrived · HTTP 200/ }).waitFor();
  const before = hook.requests.length;
  await button(page, 'Send again').click();
  await expect.poll(() => page.getByRole('cell', { name: /^Arrived/ }).count()).toBe(2);
  expect(hook.requests.length).toBeGreaterThan(before);
  await page.getByRole('switch', { name: 'Only what did not arrive' }).click();
  await page.getByText('Nothing was sent in the last 24 hours').waitFor();
  await page.goBack();
  await page.goto(`/settings/channels/${id}?part=log`);
  await page.getByRole('link', { name: 'Checkout' }).first().click();
  await page.waitForURL(new RegExp(`/checks/${checkId}/results/`));
  expect(await page.evaluate('window.hacked')).toBeUndefined();
});

test('a deletion is taken back, or done once the toast is closed', async () => {
  const { id } = await made('/v1/alert-channels', webhook('doomed'));
  const { page } = await open(`/${id}`);
  await button(page, 'Delete').click();
  await page.getByText('doomed deleted').waitFor();
  await button(page, 'Undo').click();
  await page.getByRole('link', { name: 'doomed' }).click();
  await button(page, 'Delete').click();
  await page.getByRole('link', { name: 'doomed' }).waitFor({ state: 'detached' });
  await button(page, 'Close').first().click();
  await expect.poll(() => kept('doomed')).toBeUndefined();
});

test.each(LOOKS)(
  'at %d × %d, in %s, channels hinder nobody and fit',
  async (width, height, scheme) => {
    const size = width > 700 ? scheme : `phone-${scheme}`;
    const { id } = (await kept(HOSTILE)) ?? (await made('/v1/alert-channels', webhook(HOSTILE)));
    const { page, complaints } = await open('', { width, height, scheme });
    const pages = {
      channels: ['', 'Pager <img'],
      'channel-new': ['/new', 'Microsoft Teams'],
      'channel-form': ['/new?service=WEBHOOK', 'Add the channel'],
      channel: [`/${id}`, 'Save'],
      'channel-checks': [`/${id}?part=subscriptions`, 'Subscribe all'],
      'channel-log': [`/${id}?part=log`, 'Only what did not arrive'],
    };
    for (const [name, [path, shown = '']] of Object.entries(pages)) {
      await page.goto(`/settings/channels${path}`);
      await page.getByText(shown).first().waitFor();
      expect(await axeProblems(page)).toEqual([]);
      const right = await page.evaluate('document.documentElement.scrollWidth');
      expect([name, Number(right) <= width]).toEqual([name, true]);
      await shoot(page, `${name}-${size}`);
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  },
);

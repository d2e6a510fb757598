import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { focusIn, LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `<img src=x onerror="window.hacked=1">`;
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

let world: UiWorld;
beforeAll(async () => {
  world = await startUiWorld();
});
afterAll(() => world.close());

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await (await world.appliance.call(method, path, body)).json()) as T;
}

const createdGroup = (name: string, more: object = {}) =>
  asked<{ id: number }>('POST', '/v2/check-groups', { name, ...more });

const createdCheck = (name: string, groupId: number, port = 9) =>
  asked<{ id: string }>('POST', '/v1/checks/tcp', {
    name,
    groupId,
    frequency: 1_440,
    request: { hostname: '127.0.0.1', port },
  });

test('a group is made, says what it leaves to its checks, and what is set is what is sent', async () => {
  const { page, complaints } = await openPage(world, { path: '/groups/new' });
  await page.getByRole('button', { name: /^Locations as each check has it/ }).waitFor();
  await page.getByRole('button', { name: /^Retries as each check has it/ }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('button', { name: /^General/ }).click();
  await page.getByLabel('Tags').fill('shop, live');
  await page.getByRole('button', { name: /^Alerts as each check has it/ }).click();
  await page.getByLabel('Who decides').click();
  await page.getByRole('option', { name: 'as the account has it' }).click();
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
  await page.getByText('No check is in this group').waitFor();
  const [group] = await asked<object[]>('GET', '/v1/check-groups?name=Shop');
  expect(group).toMatchObject({
    tags: ['shop', 'live'],
    useGlobalAlertSettings: true,
    retryStrategy: 'FALLBACK',
    runParallel: null,
  });
  expect(complaints).toEqual([]);
});

test('from home its section leads to it, with its checks; it is muted, run and edited', async () => {
  const { id } = await createdGroup('Payments');
  // It passes: checks that fail stand above all groups.
  await createdCheck('Card terminal', id, Number(new URL(world.appliance.url).port));
  const { page } = await openPage(world);
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
  await page.getByRole('row', { name: /Card terminal/ }).waitFor();
  await page.getByRole('button', { name: 'Mute' }).click();
  await page.getByRole('menuitem', { name: 'For 1 hour' }).click();
  await page.getByText(/^Muted until .*: nobody is told of its checks\.$/).waitFor();
  await page.getByRole('button', { name: 'Run all now' }).click();
  await page.getByText('1 check runs').first().waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByLabel('Name', { exact: true }).fill('Paying');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Paying', level: 1 }).waitFor();
  expect(await asked('GET', `/v1/check-groups/${id}`)).toMatchObject({
    name: 'Paying',
    muted: true,
  });
});

test('a group gives its API checks assertions, and snippets around their requests', async () => {
  await asked('POST', '/v1/snippets', { name: 'sign', script: 'request.headers.a = "b";' });
  const { id } = await createdGroup('Given');
  const { page } = await openPage(world, { path: `/groups/${id}?tab=settings` });
  await page.getByRole('button', { name: /^API requests Nothing is added/ }).click();
  await page.getByRole('button', { name: 'Add an assertion' }).click();
  await page.getByRole('button', { name: /^API requests Status equals 200/ }).waitFor();
  await page.getByRole('button', { name: /^Scripts None/ }).click();
  await page.getByLabel('Setup snippet').click();
  await page.getByRole('option', { name: 'sign' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The group Given is saved.').first().waitFor();
  const [snippet] = await asked<{ id: number }[]>('GET', '/v1/snippets');
  expect(await asked('GET', `/v1/check-groups/${id}`)).toMatchObject({
    setupSnippetId: snippet?.id,
    apiCheckDefaults: {
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }],
    },
  });
});

test('by keyboard alone it is deleted by its name; one with checks stays, and it is said why', async () => {
  const { id } = await createdGroup('Old');
  const kept = await createdGroup('Kept');
  await createdCheck('Inside', kept.id);
  const { page } = await openPage(world, { path: `/groups/${id}` });
  await page.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await focusIn(page, 'dialog');
  await page.getByLabel('Type Old to confirm').focus();
  await page.keyboard.type('Old');
  await page.keyboard.press('Enter');
  await page.getByText('The group Old is deleted.').first().waitFor();
  expect((await world.appliance.call('GET', `/v1/check-groups/${id}`)).status).toBe(404);
  await page.goto(`/groups/${kept.id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Type Kept to confirm').fill('Kept');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('alert')
    .getByText(/still holds .*Inside/)
    .waitFor();
});

test('what the API refuses opens its section and stands at its field', async () => {
  const { page } = await openPage(world, { path: '/groups/new' });
  await page.getByLabel('Name', { exact: true }).fill('Wrong');
  const general = page.getByRole('button', { name: /^General/ });
  await general.click();
  await page.getByLabel('Runs at once').fill('0');
  await general.click();
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.locator('input[aria-invalid=true]:focus').waitFor();
});

test.each(LOOKS)(
  'at %d × %d, in %s, no part of it hinders anybody, and it fits',
  async (width, height, scheme) => {
    const { id } = await createdGroup(HOSTILE, {
      environmentVariables: [{ key: 'A', value: '1' }],
    });
    await createdCheck(HOSTILE, id);
    const { page, complaints } = await openPage(world, {
      path: `/groups/${id}`,
      width,
      height,
      scheme,
    });
    await page.getByRole('row', { name: HOSTILE }).waitFor();
    await shoot(page, `group-${width}-${scheme}`);
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(EXCESS)).toBeLessThanOrEqual(0);
    await page.goto(`/groups/${id}?tab=settings`);
    for (const section of ['General', 'Alerts', 'Variables', 'API requests']) {
      await page.getByRole('button', { name: new RegExp(`^${section} `) }).click();
    }
    await page.getByRole('button', { name: 'Add a header' }).waitFor();
    await shoot(page, `group-settings-${width}-${scheme}`);
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(EXCESS)).toBeLessThanOrEqual(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  },
);

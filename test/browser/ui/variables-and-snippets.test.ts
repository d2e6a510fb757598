import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import {
  focusIn,
  openPage,
  pressTo,
  shoot,
  startUiWorld,
  type UiWorld,
} from '../../fixtures/ui.ts';

const HOSTILE = `<img src=x onerror="window.hacked=1">`;
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

let world: UiWorld;
beforeAll(async () => {
  world = await startUiWorld();
});
afterAll(() => world.close());

const call = (method: string, path: string, body?: unknown) =>
  world.appliance.call(method, path, body);

async function read<T>(path: string): Promise<T> {
  return (await call('GET', path)).json() as Promise<T>;
}

const variables = '/settings/variables';
const snippets = '/settings/snippets';

interface Variable {
  key: string;
  value: string | null;
  secret: boolean;
}

/** Takes away what other tests left, for those that begin with nothing. */
async function deleteAll(): Promise<void> {
  for (const { id } of await read<{ id: string }[]>('/v1/checks?limit=100')) {
    await call('DELETE', `/v1/checks/${id}`);
  }
  for (const { id } of await read<{ id: number }[]>('/v1/snippets?limit=100')) {
    await call('DELETE', `/v1/snippets/${id}`);
  }
  for (const { key } of await read<Variable[]>('/v1/variables?limit=100')) {
    await call('DELETE', `/v1/variables/${encodeURIComponent(key)}`);
  }
}

const newVariable = (key: string, more: object = {}) =>
  call('POST', '/v1/variables', { key, value: '1', ...more });

async function newSnippet(name: string, script = 'module.exports = 1;\n'): Promise<number> {
  const made = await call('POST', '/v1/snippets', { name, script });
  return ((await made.json()) as { id: number }).id;
}

const newCheck = (name: string, more: object = {}) =>
  call('POST', '/v1/checks/api', {
    name,
    frequency: 1_440,
    request: { method: 'GET', url: 'http://127.0.0.1:9/' },
    ...more,
  });

test('with no variable the page says what they are for, and the first one is made by mouse', async () => {
  await deleteAll();
  const { page, complaints } = await openPage(world, { path: variables });
  await page.getByText('No variable yet').waitFor();
  await page.getByRole('button', { name: 'New variable' }).first().click();
  const form = page.getByRole('dialog', { name: 'A new variable' });
  await form.getByLabel('Key').fill('SHOP_URL');
  await form.getByLabel('Value').fill('https://shop.example.com');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /SHOP_URL.*shop\.example\.com.*Plain/ }).waitFor();
  expect(await read(`/v1/variables/SHOP_URL`)).toMatchObject({ value: 'https://shop.example.com' });
  expect(complaints).toEqual([]);
});

test('by keyboard alone a secret is made, and nobody sees its value again', async () => {
  await newVariable('BESIDE_TOKEN');
  const { page } = await openPage(world, { path: variables });
  await page.getByRole('row', { name: /BESIDE_TOKEN/ }).waitFor();
  await page.keyboard.press('c');
  await focusIn(page, 'dialog');
  await page.getByRole('dialog').getByLabel('Key').focus();
  await page.keyboard.type('TOKEN');
  await page.keyboard.press('Tab');
  await page.keyboard.type('very-secret-value');
  await page.keyboard.press('Tab');
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await focusIn(page, 'listbox');
  await pressTo(page, 'End', 'Secret');
  await page.keyboard.press('Enter');
  await page.getByText('never shown again').waitFor();
  await page.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /TOKEN.*never shown.*Secret/ }).waitFor();
  await page.getByRole('button', { name: 'Edit TOKEN' }).click();
  await page.getByRole('dialog').getByLabel('Value').waitFor();
  expect(await page.getByRole('dialog').getByLabel('Value').inputValue()).toBe('');
  expect(await page.content()).not.toContain('very-secret-value');
  expect(await read<Variable>('/v1/variables/TOKEN')).toMatchObject({ value: null, secret: true });
});

test('what the API refuses stands at its field, and what was typed is there after a reload', async () => {
  await newVariable('TAKEN');
  const { page } = await openPage(world, { path: `${variables}?new=true` });
  await page.getByLabel('Value').fill('half typed');
  await page.reload();
  const form = page.getByRole('dialog', { name: 'A new variable' });
  expect(await form.getByLabel('Value').inputValue()).toBe('half typed');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.locator('[aria-invalid=true]').waitFor();
  await form.locator('input:focus[aria-invalid=true]').waitFor();
  await form.getByLabel('Key').fill('TAKEN');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').getByText('A variable is called TAKEN already').waitFor();
});

test('a variable is renamed, and one that is deleted comes back with Undo', async () => {
  await newVariable('OLD');
  const { page } = await openPage(world, { path: variables });
  await page.getByRole('button', { name: 'Edit OLD' }).click();
  await page.getByLabel('Key').fill('RENAMED');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Delete RENAMED' }).click();
  await page.getByRole('row', { name: /^RENAMED/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row', { name: /RENAMED/ }).waitFor();
  expect((await call('GET', '/v1/variables/OLD')).status).toBe(404);
  expect((await call('GET', '/v1/variables/RENAMED')).status).toBe(200);
});

test('who leaves the page after deleting has deleted', async () => {
  await newVariable('GOES');
  const { page } = await openPage(world, { path: variables });
  await page.getByRole('button', { name: 'Delete GOES' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(async () => (await call('GET', '/v1/variables/GOES')).status).toBe(404);
});

const editor = (page: Page) => page.getByRole('textbox', { name: /^Script/ });

test('a snippet is written with words that it is offered, and saved', async () => {
  await deleteAll();
  await newVariable('CART_URL');
  const { page, complaints } = await openPage(world, { path: snippets });
  await page.getByText('No snippet yet').waitFor();
  await page.getByRole('link', { name: 'New snippet' }).first().click();
  await page.getByLabel('Name').fill('sign');
  await page.getByText("require('./snippets/sign.js')").first().waitFor();
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type('request.hea');
  await page.getByRole('option', { name: 'headers' }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await page.keyboard.type('.token = process.env.CART');
  await page.getByRole('option', { name: 'CART_URL' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'sign', exact: true }).waitFor();
  const [saved] = await read<{ name: string; script: string }[]>('/v1/snippets');
  expect(saved).toMatchObject({
    name: 'sign',
    script: 'request.headers.token = process.env.CART_URL',
  });
  expect(complaints).toEqual([]);
});

test('what is typed faster than a slow page draws is kept', async () => {
  const id = await newSnippet('typed', '//');
  const { page, context } = await openPage(world, { path: `${snippets}/${id}` });
  await editor(page).click();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  const written = 'abcdefghi '.repeat(6);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(written);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.getByText(`//${written}`.trim()).waitFor();
});

test('a syntax error stands at its line, and a press leads there', async () => {
  const id = await newSnippet('broken', 'const a = 1;\n');
  const { page } = await openPage(world, { path: `${snippets}/${id}` });
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('const = 2;');
  const problems = page.getByRole('list', { name: 'What is wrong with Script' });
  await problems.getByText('Unexpected token').waitFor();
  await page.getByLabel('Name').focus();
  await problems.getByRole('button', { name: 'Line 2' }).click();
  await page.keyboard.type('x');
  await page.getByText('const x= 2;').waitFor();
  await problems.waitFor({ state: 'detached' });
});

interface Matching {
  matches(selector: string): boolean;
}

test('Tab indents in the editor, and after Escape it leaves it', async () => {
  const id = await newSnippet('tabbed', 'one();');
  const { page } = await openPage(world, { path: `${snippets}/${id}` });
  await editor(page).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  await page.getByText('  one();').waitFor();
  const isInEditor = () =>
    editor(page).evaluate((one) => (one as unknown as Matching).matches(':focus'));
  expect(await isInEditor()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(isInEditor).toBe(false);
});

test('a snippet that a check names stays, and it is said which check; the page of the snippet says it too', async () => {
  const id = await newSnippet('used');
  await newCheck('Checkout', { setupSnippetId: id });
  const { page } = await openPage(world, { path: snippets });
  await page.getByRole('button', { name: 'Delete used' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete used?' });
  await dialog.getByRole('listitem').filter({ hasText: 'Checkout' }).waitFor();
  await dialog.getByText('It stays').waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'used', exact: true }).click();
  const usedBy = page.getByRole('region', { name: 'Used by' });
  await usedBy.getByRole('link', { name: 'Checkout' }).click();
  await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
});

test('before a variable is deleted that something uses, it is said what', async () => {
  await newVariable('NEEDED');
  await newCheck('Needs it', { localSetupScript: 'console.log(process.env.NEEDED)' });
  const { page } = await openPage(world, { path: `${variables}?edit=NEEDED` });
  await page.getByRole('dialog').getByRole('link', { name: 'Needs it' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete NEEDED' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete NEEDED?' });
  await dialog.getByRole('link', { name: 'Needs it' }).waitFor();
  await dialog.getByRole('button', { name: 'Delete it anyway' }).click();
  await page.getByRole('row', { name: /^NEEDED/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(async () => (await call('GET', '/v1/variables/NEEDED')).status).toBe(404);
});

test.each([
  ['variables', 'light'],
  ['variables', 'dark'],
  ['snippets', 'light'],
  ['snippets', 'dark'],
] as const)(
  'no part of the %s hinders anybody, in %s, and hostile names are text',
  async (what, scheme) => {
    await newVariable(HOSTILE, { value: HOSTILE, locked: true });
    const id = await newSnippet(`${HOSTILE} ${what} ${scheme}`, `// ${HOSTILE}\nconst = 1;\n`);
    const isSnippets = what === 'snippets';
    const { page, complaints } = await openPage(world, {
      path: isSnippets ? snippets : variables,
      scheme,
    });
    await page.getByText(HOSTILE).first().waitFor();
    await shoot(page, `settings-${what}-${scheme}`);
    expect(await axeProblems(page)).toEqual([]);
    if (isSnippets) {
      await page.goto(`${snippets}/${id}`);
      await page.getByRole('button', { name: 'Line 2' }).waitFor();
      await shoot(page, `settings-snippet-${scheme}`);
    } else {
      await page.getByRole('button', { name: `Edit ${HOSTILE}` }).click();
      await page.getByRole('dialog').getByLabel('Value').waitFor();
      await shoot(page, `settings-variable-${scheme}`);
    }
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  },
);

test('on a phone nothing is wider than the screen', async () => {
  await newVariable('NARROW');
  const id = await newSnippet('narrow', `const text = '${'x'.repeat(300)}';\n`);
  for (const [name, path] of [
    ['variables', variables],
    ['snippets', snippets],
    ['snippet', `${snippets}/${id}`],
  ] as const) {
    const { page } = await openPage(world, { path, width: 390, height: 844 });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByText(/narrow/i)
      .first()
      .waitFor();
    expect(await page.evaluate(EXCESS)).toBeLessThanOrEqual(0);
    await shoot(page, `settings-${name}-phone`);
  }
});

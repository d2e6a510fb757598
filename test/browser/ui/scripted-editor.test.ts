import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tarGzOf } from '../../fixtures/archives.ts';
import { axeProblems } from '../../fixtures/axe.ts';
import { openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `<img src=x onerror="window.hacked=1">`;
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

let world: UiWorld;
beforeAll(async () => {
  world = await startUiWorld();
});
afterAll(() => world.close());

interface Stored {
  script: string;
  dependencies: { path: string; content: string }[];
  playwrightConfig: object;
  codeBundlePath: string;
}

const idOf = (page: Page) => /checks\/([\w-]{36})$/.exec(page.url())?.[1] ?? '';

async function stored(page: Page): Promise<Stored> {
  await page.waitForURL(/checks\/[\w-]{36}$/);
  const path = `/v3/checks/${idOf(page)}?includeDependencies=true`;
  return (await (await world.appliance.call('GET', path)).json()) as Stored;
}

const openNew = (type: string, more: object = {}) =>
  openPage(world, { path: `/checks/new?type=${type}`, ...more });

const file = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

test('a browser check begins with a template, gets files, and is saved with its options', async () => {
  const { page, complaints } = await openNew('BROWSER');
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('button', { name: 'A sign-in' }).click();
  await page.getByText('a customer can sign in').waitFor();
  await page
    .getByLabel('Upload files')
    .setInputFiles([file('data.json', '{"a": 1}'), file('picture.png', '\0not a text')]);
  await page.getByRole('tab', { name: 'data.json', selected: true }).waitFor();
  await page.getByRole('alert').getByText('picture.png is no text').waitFor();
  await page.getByRole('button', { name: 'Add a file' }).click();
  await page.getByLabel('Path', { exact: true }).fill('pages/login.ts');
  await page.getByRole('tab', { name: 'pages/login.ts' }).waitFor();
  await page.getByRole('button', { name: /Run options/ }).click();
  await page.getByLabel('Screenshot').click();
  await page.getByRole('option', { name: 'never' }).click();
  await page.getByLabel('Time for a test').fill('60000');
  await page.getByRole('button', { name: 'Create check' }).click();
  const check = await stored(page);
  expect(check.script).toContain('a customer can sign in');
  expect(check.dependencies.map(({ path }) => path)).toEqual(['data.json', 'pages/login.ts']);
  expect(check.playwrightConfig).toEqual({ use: { screenshot: 'off' }, timeout: 60_000 });
  expect(complaints).toEqual([]);
});

test('a try shows what the script wrote and did, and marks the line that failed', async () => {
  const { page } = await openNew('BROWSER');
  const script = `import { test } from '@playwright/test';
test('fails', async () => {
  console.log('before it fails');
  throw new Error('as it was told');
});
`;
  await page.getByRole('button', { name: 'A page' }).click();
  await page.getByRole('textbox', { name: /^Script/ }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  // Templates are offered while nothing is written: the form knows of it then, and not any more after that.
  await page.getByText('Begin with').waitFor();
  await page.keyboard.insertText(script);
  await page.getByText('Begin with').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  const problems = page.getByRole('list', { name: 'What is wrong with Script' });
  await problems.getByRole('button', { name: 'Line 4' }).waitFor();
  await problems.getByText('as it was told').waitFor();
  await page.getByText('before it fails').last().waitFor();
  await page.getByRole('textbox', { name: /^Script/ }).click();
  await page.keyboard.type('//');
  await problems.waitFor({ state: 'detached' });
});

test('by keyboard alone somebody goes from file to file and takes one away', async () => {
  const { page } = await openNew('BROWSER');
  await page.getByRole('button', { name: 'Add a file' }).focus();
  await page.keyboard.press('Enter');
  const own = page.getByRole('tab', { name: 'helper.ts' });
  await own.focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('tab', { name: 'Script', selected: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Remove the file' }).focus();
  await page.keyboard.press('Enter');
  await own.waitFor({ state: 'detached' });
});

test('what the API refuses of a file opens its tab and stands at its field', async () => {
  const { page } = await openNew('MULTI_STEP');
  await page.getByLabel('Name', { exact: true }).fill('Orders');
  await page.getByRole('button', { name: 'Two requests' }).click();
  await page.getByRole('button', { name: 'Add a file' }).click();
  await page.getByLabel('Path', { exact: true }).fill('../outside.ts');
  await page.getByRole('tab', { name: 'Script' }).click();
  await page.getByRole('button', { name: 'Create check' }).click();
  await page.getByRole('tab', { name: /outside/, selected: true }).waitFor();
  await page.getByText('expected a path inside the project, without ".."').waitFor();
});

test('a Playwright project is begun in files', async () => {
  const { page, complaints } = await openNew('PLAYWRIGHT');
  await page.getByLabel('Name', { exact: true }).fill('Suite');
  await page.getByRole('button', { name: 'Begin with an example' }).click();
  await page.getByRole('tab', { name: 'tests/page.spec.ts' }).click();
  await page.getByText('the page is there').waitFor();
  await page.getByRole('button', { name: 'Create check' }).click();
  const { dependencies } = await stored(page);
  expect(dependencies.map(({ path }) => path)).toEqual([
    'playwright.config.ts',
    'tests/page.spec.ts',
  ]);
  expect(complaints).toEqual([]);
});

async function chooseArchive(page: Page, name: string, content: Buffer): Promise<void> {
  await page.getByLabel('The project is').click();
  await page.getByRole('option', { name: 'in an archive that I upload' }).click();
  await page
    .getByLabel('Archive', { exact: true })
    .and(page.locator('[type=file]'))
    .setInputFiles({ name, mimeType: 'application/gzip', buffer: content });
}

const archive = () => tarGzOf([{ name: 'playwright.config.ts', content: 'export default {};' }]);

test('an archive is uploaded, is there, and is what the check names', async () => {
  const { page, complaints } = await openNew('PLAYWRIGHT');
  await page.getByLabel('Name', { exact: true }).fill('Archive');
  await chooseArchive(page, 'shop.tgz', await archive());
  await page.getByText(/An archive of .* is there/).waitFor();
  await page.getByRole('button', { name: 'Create check' }).click();
  expect((await stored(page)).codeBundlePath).toMatch(/^code-bundles\/[0-9a-f]{64}$/);
  expect(complaints).toEqual([]);
});

test('an upload shows how far it is, and can be cancelled', async () => {
  const { page } = await openNew('PLAYWRIGHT');
  // It never arrives.
  await page.route('**/upload-code-bundle', () => undefined);
  await chooseArchive(page, 'shop.tgz', await archive());
  await page.getByRole('progressbar', { name: 'Uploading shop.tgz' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Choose an archive' }).waitFor();
});

test('what is no archive is refused at its field, and so is a folder that nobody allowed', async () => {
  const { page } = await openNew('PLAYWRIGHT');
  await page.getByLabel('Name', { exact: true }).fill('Nothing');
  await chooseArchive(page, 'shop.tgz', Buffer.from('not an archive'));
  await page
    .getByText(/archive/i)
    .and(page.locator('p'))
    .first()
    .waitFor();
  await page.getByLabel('The project is').click();
  await page.getByRole('option', { name: 'in a folder of the machine of Watchpost' }).click();
  await page.getByLabel('Folder', { exact: true }).fill('/etc');
  await page.getByRole('button', { name: 'Create check' }).click();
  await page.locator('input[aria-invalid=true]:focus').waitFor();
});

test.each(
  (['BROWSER', 'MULTI_STEP', 'PLAYWRIGHT'] as const).flatMap((type) =>
    (['light', 'dark'] as const).map((scheme) => [type, scheme] as const),
  ),
)('no part of the form of a %s check hinders anybody, in %s', async (type, scheme) => {
  const { page, complaints } = await openNew(type, { scheme });
  const begin = /^(A page|Two requests|Begin with an example)$/;
  await page.getByRole('button', { name: begin }).click();
  await page.getByRole('button', { name: 'Add a file' }).click();
  await page.getByLabel('Path', { exact: true }).fill(`${HOSTILE}.ts`);
  await page.getByRole('tab', { name: `${HOSTILE}.ts` }).waitFor();
  const options = page.getByRole('button', { name: /^(Run options|Packages)/ });
  await options.click();
  await page.getByRole('tab').first().click();
  await shoot(page, `editor-${type}-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test.each(['BROWSER', 'PLAYWRIGHT'])('on a phone the form of a %s check fits', async (type) => {
  const { page } = await openNew(type, { width: 390, height: 844 });
  const begin = /^(A page|Begin with an example)$/;
  await page.getByRole('button', { name: begin }).click();
  await page.getByRole('button', { name: 'Add a file' }).click();
  await page.getByLabel('Path', { exact: true }).fill(`${'long/'.repeat(12)}helper.ts`);
  await page.getByRole('button', { name: /^(Run options|Packages)/ }).click();
  expect(await page.evaluate(EXCESS)).toBeLessThanOrEqual(0);
  await shoot(page, `editor-${type}-phone`);
});

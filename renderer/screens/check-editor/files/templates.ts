/** Scripts to begin from, by what they show. */
export const BROWSER_TEMPLATES = {
  page: `import { expect, test } from '@playwright/test';

test('the page is there', async ({ page }) => {
  await page.goto('https://example.com');
  await expect(page.getByRole('heading')).toHaveText('Example Domain');
});
`,
  signIn: `import { expect, test } from '@playwright/test';

test('a customer can sign in', async ({ page }) => {
  await page.goto(process.env.SHOP_URL!);
  await page.getByLabel('Name').fill('probe');
  await page.getByLabel('Password').fill(process.env.PASSWORD!);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading')).toHaveText('Welcome, probe');
});
`,
  plain: `const { chromium } = require('playwright');

const browser = await chromium.launch();
const page = await browser.newPage();
const response = await page.goto('https://example.com');
if (response.status() !== 200) throw new Error(\`The page answered \${response.status()}\`);
await browser.close();
`,
} as const;

export const MULTI_STEP_TEMPLATES = {
  requests: `import { expect, test } from '@playwright/test';

test('an order can be made and read', async ({ request }) => {
  const made = await test.step('order', async () => {
    const answer = await request.post(\`\${process.env.SHOP_URL}/orders\`, { data: { item: 'tea' } });
    expect(answer.status()).toBe(201);
    return answer.json();
  });
  await test.step('read it', async () => {
    const answer = await request.get(\`\${process.env.SHOP_URL}/orders/\${made.id}\`);
    expect(await answer.json()).toMatchObject({ item: 'tea' });
  });
});
`,
} as const;

/** The least project that runs. */
export const PROJECT_TEMPLATE = [
  {
    path: 'playwright.config.ts',
    content: `import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [{ name: 'desktop' }],
});
`,
  },
  { path: 'tests/page.spec.ts', content: BROWSER_TEMPLATES.page },
];

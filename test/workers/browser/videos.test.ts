import { afterAll, describe, expect, test } from 'vitest';
import { findFfmpeg } from '#workers/browser/find-ffmpeg.ts';
import { WAYS } from '../../fixtures/cages.ts';
import { ScriptLab } from '../../fixtures/script-lab.ts';
import { SuiteLab } from '../../fixtures/suite-lab.ts';

const ffmpeg = await findFfmpeg();

const SPEC = `import { expect, test } from '@playwright/test';
test('shows', async ({ page }) => {
  await page.setContent('<h1>hello</h1>');
  await expect(page.locator('h1')).toHaveText('hello');
});`;
const FILMED = { check: { playwrightConfig: { use: { video: 'on' } } } };
const CONFIG = 'export default { use: { video: "on" } };';
/** A script may also ask by itself. */
const PLAIN = `const { chromium } = require('playwright');
const browser = await chromium.launch();
const context = await browser.newContext({ recordVideo: { dir: 'films' } });
const page = await context.newPage();
await page.setContent('<h1>hello</h1>');
await context.close();
await browser.close();`;

/** What a film in this format begins with. */
const WEBM = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

describe.each(WAYS)('where a video is asked for, %s', (_, bwrap) => {
  describe.skipIf(ffmpeg === null)('and there is an ffmpeg', () => {
    const scripts = new ScriptLab(bwrap);
    const suites = new SuiteLab(bwrap);
    afterAll(async () => {
      await scripts.close();
      await suites.close();
    });

    test('a browser check leaves it', async () => {
      const result = await scripts.browser(SPEC, FILMED);
      expect(result.failure).toBeNull();
      expect(result.found.playwrightTestVideos).toEqual(['shows/video.webm']);
      expect(result.artifact('shows/video.webm').subarray(0, 4)).toEqual(WEBM);
      expect(result.found.jobLog.map(({ msg }) => msg).join()).not.toContain('video');
    });

    test('a plain script leaves it', async () => {
      const result = await scripts.browser(PLAIN);
      expect(result.failure).toBeNull();
      expect(result.found.playwrightTestVideos).toEqual([
        expect.stringMatching(/^films\/.+\.webm$/),
      ]);
      expect(result.found.jobAssets).toEqual([]);
    });

    test('a Playwright check leaves it', async () => {
      const result = await suites.run({ 'a.spec.ts': SPEC, 'playwright.config.ts': CONFIG });
      expect(result.failure).toBeNull();
      const [name = ''] = result.found.playwrightTestVideos;
      expect(result.artifact(name).subarray(0, 4)).toEqual(WEBM);
    });
  });

  describe('and there is no ffmpeg', () => {
    const scripts = new ScriptLab(bwrap, {}, { ffmpeg: null });
    const suites = new SuiteLab(bwrap, { ffmpeg: null });
    afterAll(async () => {
      await scripts.close();
      await suites.close();
    });
    const said = (lines: readonly { msg: string; level: string }[]) =>
      lines.filter(({ msg }) => msg.includes('video')).map(({ level, msg }) => `${level}: ${msg}`);
    const WHY =
      'this machine has no ffmpeg, which makes them (`npx playwright install ffmpeg`, or the package ffmpeg of the system)';

    test.each([
      ['a browser check', SPEC, FILMED],
      ['a plain script', PLAIN, {}],
    ])('%s goes on without one, and its log says so', async (_, script, run) => {
      const result = await scripts.browser(script, run);
      expect(result.failure).toBeNull();
      expect(result.found.playwrightTestVideos).toEqual([]);
      expect(said(result.found.jobLog)).toEqual([`WARN: There is no video: ${WHY}`]);
    });

    test('a Playwright check goes on without one, and its log says so', async () => {
      const result = await suites.run({ 'a.spec.ts': SPEC, 'playwright.config.ts': CONFIG });
      expect(result.failure).toBeNull();
      expect(result.found.playwrightTestVideos).toEqual([]);
      expect(said(result.found.jobLog)).toEqual([`WARN: There are no videos: ${WHY}`]);
    });
  });
});

import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { scriptFiles } from '#shared/checks/script-files.ts';
import { specConfig } from '#shared/playwright/spec-config.ts';
import type { Cages } from './cage/cages.ts';
import { removeFolder } from './cage/run-folders.ts';
import { runtimeModules } from './runtime-modules.ts';
import { runScript } from './script-run.ts';
import type { SpecBrowser } from './spec/job.ts';
import { LEFT_OUT } from './spec/lean-playwright.ts';

/** Uses what most scripts use, so that its compiled code is at hand. */
const EXERCISE = `import { test, expect } from '@playwright/test';
test('exercise', async ({ page, request }) => {
  await page.goto('data:text/html,<h1>Title</h1><input aria-label="Name"><button>Enter</button>');
  await page.getByLabel('Name').fill('name');
  await page.getByRole('button').click();
  await expect(page.locator('h1')).toHaveText('Title');
  await expect(page.getByLabel('Name')).toBeVisible();
  await test.step('fails', () => expect.soft(1).toBe(2));
});
`;

const MAX_EXERCISE_MS = 60_000;

export interface Compiled {
  folder: string;
  /** What Playwright starts browsers with, but for their folders and what each Chromium needs; none: unknown. */
  launchArgs: readonly string[];
}

/**
 * The compiled code of Playwright and of the program that runs scripts: with it a run takes half the
 * processor time. It is written by a run of our own, once for each version; runs of checks may only read
 * it, as what one wrote there the next would run.
 */
export class CompiledCode {
  readonly #cages: Cages;
  readonly #cacheFolder: string;
  readonly #findBrowser: () => Promise<SpecBrowser | null>;
  #made: Promise<Compiled> | undefined;

  /** @param findBrowser null where this machine has none */
  constructor(cages: Cages, cacheFolder: string, findBrowser: () => Promise<SpecBrowser | null>) {
    this.#cages = cages;
    this.#cacheFolder = cacheFolder;
    this.#findBrowser = findBrowser;
  }

  /** The first call takes seconds where there is none yet of this version. */
  get(): Promise<Compiled> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #make(): Promise<Compiled> {
    const browser = await this.#findBrowser();
    const all = join(this.#cacheFolder, 'compiled');
    const name = nameOf(browser);
    const folder = join(all, name);
    const stamp = join(folder, STAMP);
    if (existsSync(stamp)) return { folder, launchArgs: JSON.parse(await readFile(stamp, 'utf8')) };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const launchArgs = await this.#exercise(folder, browser);
    // Whole or not at all: an empty one, left by a kill or a cut of the power, would fail every run.
    await writeFile(`${stamp}.new`, JSON.stringify(launchArgs), { flush: true });
    await rename(`${stamp}.new`, stamp);
    for (const former of (await readdir(all)).filter((it) => it !== name)) {
      await rm(join(all, former), { recursive: true, force: true });
    }
    return { folder, launchArgs };
  }

  /** @returns what Playwright started the browser with, but for what the browser itself needs */
  async #exercise(compiled: string, browser: SpecBrowser | null): Promise<string[]> {
    const folder = await this.#cages.makeFolder();
    try {
      const { record } = await runScript(this.#cages, {
        ...{ folder, name: 'exercise', env: {}, browser, compiled },
        files: scriptFiles({ script: EXERCISE }, {}),
        config: specConfig({ use: { trace: 'on' } }, false),
        modules: await runtimeModules('2026.04', this.#cacheFolder),
        ...{ timeoutMs: MAX_EXERCISE_MS, memoryMb: 2_764, makesCompiled: true },
      });
      const args = record.launches[0]?.args ?? [];
      return args.filter((arg) => !browser?.args.includes(arg));
    } finally {
      await removeFolder(folder);
    }
  }
}

/** Holds what browsers are started with. */
const STAMP = 'started-with.json';

/** Of what the compiled code is, so that another version makes its own. */
function nameOf(browser: SpecBrowser | null): string {
  const require = createRequire(import.meta.url);
  const [own, playwright] = ['../../package.json', 'playwright/package.json'].map(
    (path): string => require(path).version,
  );
  const lean = hash('sha256', JSON.stringify(LEFT_OUT)).slice(0, 12);
  return [own, playwright, lean, process.version, ...(browser ? ['browser'] : [])].join('-');
}

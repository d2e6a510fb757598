import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';

import { VITALS, type Vital } from '#shared/playwright/web-vitals.ts';
import { internally } from './internal-call.ts';
import type { SpecJob } from './job.ts';
import { report, shown } from './report.ts';

const PROGRAM = readFileSync(new URL('vitals.js', import.meta.url), 'utf8');
/** The world in which the program runs, and the function by which it reports. */
const WORLD = 'watchpost';
const FUNCTION = '__report';

/** Milliseconds that the end of a context may wait for the first paint of its pages. */
const PAINT_MS = 200;

/** A page that is open. */
interface OpenPage {
  isPainted: boolean;
  /** Called when the document of the page has been painted. */
  onPaint: () => void;
}

/** Reports the web vitals of the pages of a context, those that it opens by itself too. */
export class PageVitals {
  readonly #job: Readonly<SpecJob>;
  readonly #pages = new Map<Page, OpenPage>();

  constructor(job: Readonly<SpecJob>) {
    this.#job = job;
  }

  /** A page that closes or crashes meanwhile has told what it could. */
  async watch(page: Page): Promise<void> {
    const context = page.context();
    await internally(context, async () => {
      const session = await context.newCDPSession(page);
      const open: OpenPage = { isPainted: false, onPaint: () => {} };
      this.#pages.set(page, open);
      for (const end of ['close', 'crash'] as const)
        page.once(end as 'close', () => this.#left(page));
      session.on('Runtime.bindingCalled', ({ payload }) => this.#read(payload, open));
      // Without it, a document that is opened later would not have the function.
      await session.send('Runtime.enable');
      await session.send('Runtime.addBinding', { name: FUNCTION, executionContextName: WORLD });
      await session.send('Page.enable');
      await session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: PROGRAM,
        worldName: WORLD,
        runImmediately: true,
      });
    }).catch(() => this.#left(page));
  }

  /** Waits until what the pages of a context show is painted: a script may end sooner than that. */
  async flush(context: BrowserContext): Promise<void> {
    await Promise.all(context.pages().map((page) => this.#waitForPaint(page)));
  }

  async #waitForPaint(page: Page): Promise<void> {
    const open = this.#pages.get(page);
    if (!open || open.isPainted || !/^https?:/.test(page.url())) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAINT_MS);
      open.onPaint = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #left(page: Page): void {
    this.#pages.get(page)?.onPaint();
    this.#pages.delete(page);
  }

  #read(payload: string, open: OpenPage): void {
    const { page, url, vitals } = JSON.parse(payload);
    const known = VITALS.filter((name) => typeof vitals?.[name] === 'number');
    report({
      type: 'page',
      page: String(page),
      url: shown(String(url), this.#job.folder),
      vitals: Object.fromEntries(known.map((name): [Vital, number] => [name, vitals[name]])),
    });
    open.isPainted = known.includes('LCP');
    if (open.isPainted) open.onPaint();
  }
}

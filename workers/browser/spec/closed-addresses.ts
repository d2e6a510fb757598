import type { BrowserContext, Frame, Page } from 'playwright-core';
import { internally } from './internal-call.ts';

/** What pages may be; `chrome-error:` is what a browser shows where a page cannot be reached. */
const OPEN = ['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome-error:'];

/**
 * Keeps the pages of a context from files of this machine and from the browser's own pages. No page of
 * the web may open them; only what a script asks for could.
 */
export function closeAddresses(context: BrowserContext): void {
  context.on('page', guard);
  for (const page of context.pages()) guard(page);
}

function guard(page: Page): void {
  guardFrames(Object.getPrototypeOf(page.mainFrame()));
  // By another way than `goto`, as the protocol of the browser is one.
  page.on('framenavigated', (frame) => {
    if (isOpen(frame.url())) return;
    void internally(page, () => page.close()).catch(() => {});
  });
}

type Goto = Frame['goto'] & { isGuarded?: true };

/** All frames have one prototype, which is at hand once there is a page. */
function guardFrames(frames: { goto: Goto }): void {
  const { goto } = frames;
  if (goto.isGuarded) return;
  const guarded: Goto = async function (this: Frame, url, options) {
    if (!isOpen(url))
      throw new Error(`page.goto: checks open http and https pages only, not ${url}`);
    return await goto.call(this, url, options);
  };
  frames.goto = Object.assign(guarded, { isGuarded: true as const });
}

/** A relative address is one of the site. */
function isOpen(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === undefined || OPEN.includes(protocol);
}

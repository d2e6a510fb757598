import type { Browser, BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
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
  guardMaker(Object.getPrototypeOf(context), 'newCDPSession');
  const browser = context.browser();
  if (browser) guardMaker(Object.getPrototypeOf(browser), 'newBrowserCDPSession');
}

function guard(page: Page): void {
  guardFrames(Object.getPrototypeOf(page.mainFrame()));
  // By any other way. The browser does not always close such a page at once.
  page.on('framenavigated', (frame) => {
    if (isOpen(frame.url())) return;
    void internally(page, () => page.close()).catch(() => {});
  });
}

type Goto = Frame['goto'] & { isGuarded?: true };

type Makers = Pick<BrowserContext, 'newCDPSession'> & Pick<Browser, 'newBrowserCDPSession'>;
type Maker = ((...given: never[]) => Promise<CDPSession>) & { isGuarded?: true };

/** The protocol of the browser is a second way to open a page. */
function guardMaker<N extends keyof Makers>(makers: { [K in N]: Maker }, name: N): void {
  const make = makers[name];
  if (make.isGuarded) return;
  const guarded: Maker = async function (this: Makers, ...given) {
    const session = await make.apply(this, given);
    guardSessions(Object.getPrototypeOf(session));
    return session;
  };
  makers[name] = Object.assign(guarded, { isGuarded: true as const });
}

type Send = ((method: string, params?: { url?: unknown }) => Promise<unknown>) & {
  isGuarded?: true;
};

/** All sessions have one prototype, which is at hand once there is one. */
function guardSessions(sessions: { send: Send }): void {
  const { send } = sessions;
  if (send.isGuarded) return;
  const guarded: Send = async function (this: CDPSession, method, params) {
    const { url } = params ?? {};
    if (typeof url === 'string' && !isOpen(url)) throw refusal(method, url);
    return await send.call(this, method, params);
  };
  sessions.send = Object.assign(guarded, { isGuarded: true as const });
}

/** All frames have one prototype, which is at hand once there is a page. */
function guardFrames(frames: { goto: Goto }): void {
  const { goto } = frames;
  if (goto.isGuarded) return;
  const guarded: Goto = async function (this: Frame, url, options) {
    if (!isOpen(url)) throw refusal('page.goto', url);
    return await goto.call(this, url, options);
  };
  frames.goto = Object.assign(guarded, { isGuarded: true as const });
}

function refusal(call: string, url: string): Error {
  return new Error(`${call}: checks open http and https pages only, not ${url}`);
}

/** A relative address is one of the site. */
function isOpen(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === undefined || OPEN.includes(protocol);
}

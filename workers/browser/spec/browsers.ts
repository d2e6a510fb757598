import type { Browser, BrowserType, LaunchOptions } from 'playwright-core';
import { watchContext } from './browser-events.ts';
import { closeAddresses } from './closed-addresses.ts';
import { internally } from './internal-call.ts';
import type { SpecBrowser, SpecJob } from './job.ts';
import { watchStarts } from './lent-browser.ts';
import { PageVitals } from './pages.ts';
import { chromium, instrumentation } from './playwright.ts';
import { prepareVideos } from './videos.ts';

type Launchers = Pick<
  BrowserType,
  'launch' | 'launchServer' | 'launchPersistentContext' | 'connect' | 'connectOverCDP'
>;

/** Firefox and WebKit share it. */
const types = Object.getPrototypeOf(chromium) as Launchers;

const NO_BROWSER =
  'A multi-step check has no browser: use the `request` fixture, or make it a browser check';

/** Has every way to a browser end in an error. */
export function forbidBrowsers(): void {
  const refuse = async () => {
    throw new Error(NO_BROWSER);
  };
  Object.assign(types, {
    launch: refuse,
    launchServer: refuse,
    launchPersistentContext: refuse,
    connect: refuse,
    connectOverCDP: refuse,
  });
}

/**
 * Has scripts launch the Chromium of this machine, however they ask for one, and all that its pages do
 * reported.
 */
export function watchBrowsers(job: Readonly<SpecJob>): void {
  const { launch, launchPersistentContext, launchServer } = types;
  const browserOf = () => job.browser as SpecBrowser;
  watchStarts(browserOf);
  Object.assign(types, {
    async launch(this: BrowserType, options: LaunchOptions = {}) {
      const browser = browserOf();
      const wanted = { ...ours(this, options, browser), ...downloadsOf(this, options, browser) };
      return closingAll(await launch.call(this, wanted));
    },
    async launchServer(this: BrowserType, options: LaunchOptions = {}) {
      return await launchServer.call(this, ours(this, options, browserOf()));
    },
    async launchPersistentContext(this: BrowserType, data: string, options: LaunchOptions = {}) {
      return await launchPersistentContext.call(this, data, ours(this, options, browserOf()));
    },
  });
  prepareVideos(job);
  const vitals = new PageVitals(job);
  instrumentation.addListener({
    async runAfterCreateBrowserContext(context) {
      closeAddresses(context);
      watchContext(context, job.folder);
      for (const page of context.pages()) void vitals.watch(page);
      context.on('page', (page) => void vitals.watch(page));
    },
    runBeforeCloseBrowserContext: (context) => vitals.flush(context),
  });
}

/** A browser that goes on must have nothing of the script's left. */
function closingAll(browser: Browser): Browser {
  const { close } = browser;
  browser.close = async (options) => {
    await internally(browser, () =>
      Promise.allSettled(browser.contexts().map((context) => context.close(options))),
    );
    await close.call(browser, options);
  };
  return browser;
}

/** Where a browser puts what its pages download. */
function downloadsOf(type: BrowserType, options: LaunchOptions, { lent }: SpecBrowser) {
  if (lent === null) return {};
  const { downloadsPath, env = process.env } = { ...defaultsOf(type), ...options };
  // A lent browser cannot write where the script wants it to, and is not taken with other variables.
  return downloadsPath === undefined ? { downloadsPath: lent.downloads } : { env: { ...env } };
}

/** What fixtures of the script, `launchOptions` and `headless`, ask of every browser. */
function defaultsOf(type: BrowserType): LaunchOptions {
  return (
    (type as unknown as { _playwright: { _defaultLaunchOptions?: LaunchOptions } })._playwright
      ._defaultLaunchOptions ?? {}
  );
}

/** What stands for the Chromium of this machine. */
const CHANNELS = ['chromium', 'chromium-headless-shell', 'chrome'];

/** The options of a script with the browser of this machine, and without what that cannot do. */
function ours(type: BrowserType, options: LaunchOptions, { path, args }: SpecBrowser) {
  if (type.name() !== 'chromium') {
    throw new Error(`This machine runs checks in Chromium only, not in ${type.name()}`);
  }
  const all = { ...defaultsOf(type), ...options };
  if (all.channel !== undefined && !CHANNELS.includes(all.channel)) {
    throw new Error(`This machine runs checks in its own Chromium, not in ${all.channel}`);
  }
  return {
    ...options,
    channel: undefined,
    headless: true,
    executablePath: path,
    args: [...(all.args ?? []), ...args],
  };
}

import { flushCompileCache } from 'node:module';
import type { Appliance } from './appliance.ts';
import { findSandboxes } from './monitoring/find-sandboxes.ts';
import { openFolder, openStores } from './open-stores.ts';
import { createLog, type Log } from './platform/log.ts';
import { isByHand, openBrowser } from './platform/open-browser.ts';
import type { Settings } from './platform/settings/table.ts';

/** A stop that takes longer than this ends without waiting for the rest. */
const STOP_MS = 9_000;

/**
 * Runs the appliance without a window until SIGTERM or SIGINT, then drains and exits with 0. The
 * first line on standard output is the one that says where it is ready, the last one a link that signs in.
 *
 * @param renamed what to warn of: settings that were given under their former names
 * @throws StartupError where it cannot start
 */
export async function serve(settings: Settings, renamed: readonly string[]): Promise<void> {
  // Before anybody can know that there is something to stop.
  const stopped = firstSignal();
  const log = createLog(settings.logLevel);
  for (const sentence of renamed) log.warn(sentence);
  const { url, newKey, accountId, signInLink, stop } = await start(settings, log);
  console.log(`Watchpost is ready at ${url}`);
  if (newKey !== null) {
    console.log(`API key, shown only this once: ${newKey}`);
    console.log(`Account ID: ${accountId}`);
  }
  const link = signInLink();
  console.log(`Open ${link}`);
  if (settings.openBrowser && isByHand(process)) {
    openBrowser(link, settings.dataDir).catch((error: unknown) => {
      log.info({ err: error }, 'No browser was opened.');
    });
  }
  // Written now: a process that is killed would never write it.
  flushCompileCache();
  const signal = await stopped;
  log.info({ signal }, 'Stopping.');
  setTimeout(() => process.exit(0), STOP_MS).unref();
  await stop();
  log.info('Stopped.');
  process.exit(0);
}

/** Loads the code of the appliance while its stores are opened, and sandboxes are tried. */
async function start(settings: Settings, log: Log): Promise<Appliance> {
  const folder = await openFolder(settings);
  const opening = openStores(folder, settings, log);
  // Not before its threads have begun: loading keeps the main thread for some tenths of a second.
  const looking = findSandboxes(settings);
  const loading = import('./appliance.ts');
  const stores = await opening;
  const { startAppliance } = await loading;
  return startAppliance(settings, log, stores, await looking);
}

function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    // Not once: npm hands on the Ctrl-C that the terminal sent already, and a second one ends a
    // process that does not listen any more, in the middle of its stop.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}

import { refuseUsedPort } from './api/listen.ts';
import { holderOf } from './platform/instance-file.ts';
import type { Log } from './platform/log.ts';
import type { Settings } from './platform/settings/table.ts';
import { systemClock } from './platform/system-clock.ts';
import type { Configuration } from './store/configuration/configuration.ts';
import { openConfiguration } from './store/configuration/open-configuration.ts';
import { type DataFolder, isDataFolder, openDataFolder } from './store/data-folder.ts';
import type { History } from './store/history/history.ts';
import { type HistoryOptions, openHistory } from './store/history/open-history.ts';
import type { Retention } from './store/history/retention.ts';

const MEBIBYTE = 1024 ** 2;

/** The data folder, locked, and what is kept in it; both stores are closed, and the folder let go of, at its disposal. */
export interface OpenStores extends AsyncDisposable {
  /** Path of the data folder. */
  folder: string;
  configuration: Configuration;
  history: History;
}

/**
 * Opens what an appliance stands on. It imports little: its threads, which begin before this returns, read while the main
 * one loads everything else.
 *
 * @param folder the data folder; let go of also where this fails
 * @throws StartupError where a file in the folder cannot be used; it is left as it is
 */
export async function openStores(
  folder: DataFolder,
  settings: Settings,
  log: Log,
): Promise<OpenStores> {
  await using parts = new AsyncDisposableStack();
  // The lock comes first: whoever holds it may read and repair the files.
  const { path } = parts.adopt(folder, (held) => held.release());
  const options = { clock: systemClock, log, retention: retentionOf(settings) };
  const both = await openBoth(path, parts, options);
  const all = parts.move();
  return { folder: path, ...both, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/**
 * The data folder, locked. A start that fails as its port is taken makes nothing. A folder in use says more than a port
 * in use, and one that was used before is opened without making anything.
 *
 * @throws StartupError where the folder or the port cannot be used; nothing is changed
 */
export async function openFolder(settings: Settings): Promise<DataFolder> {
  const used = isDataFolder(settings.dataDir)
    ? await openDataFolder(settings.dataDir, holderOf)
    : null;
  try {
    await refuseUsedPort(settings);
    return used ?? (await openDataFolder(settings.dataDir, holderOf));
  } catch (error) {
    used?.release();
    throw error;
  }
}

/** Both side by side, each a thread to start; where one fails, neither stays open. */
async function openBoth(
  folder: string,
  parts: AsyncDisposableStack,
  options: HistoryOptions & { log: Log },
) {
  const adopt = async <T extends { close(): Promise<void> }>(opening: Promise<T>) =>
    parts.adopt(await opening, (open) => open.close());
  const [configuration, history] = await Promise.allSettled([
    adopt(openConfiguration(folder, options)),
    adopt(openHistory(folder, options).then(readingStates)),
  ]);
  if (configuration.status === 'rejected') throw configuration.reason;
  if (history.status === 'rejected') throw history.reason;
  return { configuration: configuration.value, history: history.value };
}

/** The states of all checks are read while the configuration is, and held until they are asked for. */
function readingStates(history: History): History {
  let read: ReturnType<History['loadStates']> | null = history.loadStates();
  // Whoever asks for them meets it.
  read.catch(() => undefined);
  const loadStates = () => {
    const states = read ?? history.loadStates();
    read = null;
    return states;
  };
  return { ...history, loadStates };
}

function retentionOf(settings: Settings): Retention {
  const { resultDays, heartbeatDays, rollUpDays, bodyDays: detailDays } = settings;
  return {
    resultDays,
    heartbeatDays,
    rollUpDays,
    detailDays,
    detailBytes: settings.bodyMegabytes * MEBIBYTE,
    artifactDays: settings.artifactDays,
    artifactBytes: settings.artifactMegabytes * MEBIBYTE,
    historyBytes: settings.historyMegabytes * MEBIBYTE,
  };
}

import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '#main/platform/settings/table.ts';
import { ARTIFACTS_FOLDER } from '#main/store/artifacts/artifact-files.ts';
import { CODE_BUNDLES_FOLDER } from '#main/store/code-bundles/code-bundle-store.ts';
import type { BrowserRunnerData } from '#shared/runs/protocol.ts';

type BrowserSettings = Pick<
  Settings,
  | 'chromium'
  | 'browsersAtOnce'
  | 'warmBrowsers'
  | 'browserMemoryMegabytes'
  | 'browserSandbox'
  | 'playwrightFolders'
>;

interface Found {
  /** The data folder. */
  folder: string;
  bwrap: string | null;
  /** Of the appliance; 0 until it is known. */
  ownPorts: ArrayLike<number>;
}

/** What the thread of browsers is started with. */
export function browserRunnerData(settings: BrowserSettings, found: Found): BrowserRunnerData {
  const { folder, ...rest } = found;
  const cacheFolder = join(folder, 'cache');
  return {
    ...rest,
    runsFolder: runsFolderOf(folder),
    artifactsFolder: join(folder, ARTIFACTS_FOLDER),
    cacheFolder,
    chromium: { setting: settings.chromium, cacheFolder },
    requireCage: settings.browserSandbox === 'require',
    browsersAtOnce: settings.browsersAtOnce,
    // Windows has no pipes of the kind that they are lent with.
    warmBrowsers: settings.warmBrowsers && process.platform !== 'win32',
    memoryMb: settings.browserMemoryMegabytes,
    bundlesFolder: join(folder, CODE_BUNDLES_FOLDER),
    allowedFolders: settings.playwrightFolders,
  };
}

/**
 * A folder of this appliance alone, and the same at every start, so that a start finds what a crash
 * left. Not in the data folder: sockets of Chromium lie below it, whose paths are at most 107 bytes.
 */
export function runsFolderOf(dataFolder: string): string {
  return join(tmpdir(), `wp-${hash('sha256', dataFolder).slice(0, 8)}`);
}

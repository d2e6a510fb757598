import { existsSync } from 'node:fs';
import { holderOf } from '#main/platform/instance-file.ts';
import { createMutex } from '#main/platform/mutex.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { Keys } from '#main/services/keys.ts';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import { openDataFolder } from '#main/store/data-folder.ts';
import { CommandError } from './command-error.ts';
import type { KeyStore } from './keys.ts';

/**
 * The keys of a data folder that no appliance runs on; holds its lock until disposed of.
 *
 * @throws CommandError where there is no such folder, so that a mistyped one is not made
 * @throws StartupError where it is in use or cannot be read
 */
export async function keysOfFolder(dataDir: string): Promise<KeyStore> {
  if (!existsSync(dataDir)) {
    throw new CommandError(`${dataDir} is not there: start Watchpost once, or name its folder`);
  }
  await using parts = new AsyncDisposableStack();
  const folder = parts.adopt(await openDataFolder(dataDir, holderOf), (held) => held.release());
  const configuration = parts.adopt(await openConfiguration(folder.path), (open) => open.close());
  const keys = new Keys({ configuration, clock: systemClock, mutex: createMutex() });
  const held = parts.move();
  return {
    list: async () => keys.all(),
    create: (name) => keys.create(name),
    revoke: async (id) => {
      if (!keys.all().some((key) => key.id === id)) return false;
      await keys.revoke(id);
      return true;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

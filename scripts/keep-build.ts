import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {
  type Build,
  buildsFolder,
  complete,
  currentBuild,
  isComplete,
  isHeld,
  sourcesHash,
} from '../main/platform/builds.js';

/** Builds that stay beside those that an appliance runs on: whoever goes back to other sources finds them. */
const KEPT = 3;
/** After so long nobody is at work any more in a folder without a whole build. */
const ABANDONED_MS = 3_600_000;

/**
 * Builds something of the sources at hand into a folder of its own, unless it is there, names that folder in `current`
 * and removes builds of old.
 * @param root folder of the project
 * @param make fills an empty folder
 */
export async function keepBuild(
  root: string,
  build: Build,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  if (currentBuild(root, build) !== null) return;
  const builds = buildsFolder(root, build);
  const hash = sourcesHash(root, build);
  const folder = join(builds, hash);
  if (!isComplete(folder)) {
    // Two may build at once, such as tests: each in a folder of its own, and the first one stays.
    const own = `${folder}.${randomUUID()}`;
    mkdirSync(own, { recursive: true });
    await make(own);
    // Last, so that a build that broke off is done again.
    complete(own);
    place(own, folder);
  }
  await writeFileAtomic(join(builds, 'current'), `${hash}\n`);
  removeOld(builds, hash);
}

/** Where another build is complete meanwhile, that one stays: it is the same. */
function place(own: string, folder: string): void {
  if (!isComplete(folder)) {
    rmSync(folder, { recursive: true, force: true });
    try {
      renameSync(own, folder);
      return;
    } catch (error) {
      if (!isComplete(folder)) throw error;
    }
  }
  rmSync(own, { recursive: true, force: true });
}

/** Another process may be in the middle of a build: its folder stays. */
function removeOld(builds: string, current: string): void {
  const made = readdirSync(builds)
    .flatMap((name) => {
      const path = join(builds, name);
      // None where another build gave it its name meanwhile, or removed it.
      const time = statSync(path, { throwIfNoEntry: false });
      return time?.isDirectory() ? [{ name, path, time }] : [];
    })
    .toSorted((one, other) => other.time.mtimeMs - one.time.mtimeMs);
  const isWhole = ({ name, path }: (typeof made)[number]) =>
    !name.includes('.') && isComplete(path);
  const isAbandoned = ({ time }: (typeof made)[number]) => Date.now() - time.mtimeMs > ABANDONED_MS;
  const broken = made.filter((one) => !isWhole(one) && isAbandoned(one));
  const isUsed = ({ name, path }: (typeof made)[number]) => name === current || isHeld(path);
  const old = made.filter(isWhole).slice(KEPT);
  for (const { path } of [...old.filter((one) => !isUsed(one)), ...broken]) {
    rmSync(path, { recursive: true, force: true });
  }
}

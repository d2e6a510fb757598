// What is built from the sources, where it lies, and whether it is of the sources at hand. Asked at every start, on
// any Node from 20: plain JavaScript, some milliseconds.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Something that is built at installation.
 * @typedef {object} Build
 * @property {string} name of its folder under node_modules/.cache. Each build in it has a folder named after the hash
 *   of its sources; the file `current` names the last one.
 * @property {string} script what builds it, on the pinned Node.
 * @property {readonly string[]} sources files, and folders with all below them.
 */

/** @type {Build} */
export const RENDERER = {
  name: 'watchpost-renderer',
  script: 'scripts/build-renderer.ts',
  sources: ['renderer', 'shared', 'package-lock.json', 'scripts/build-renderer.ts'],
};

/**
 * The code of the appliance and of the packages it always loads, in few files: it starts a fifth sooner.
 * @type {Build}
 */
export const APPLIANCE = {
  name: 'watchpost-appliance',
  script: 'scripts/bundle-appliance.ts',
  sources: [
    'main',
    'shared',
    'workers',
    'package.json',
    'package-lock.json',
    'scripts/bundle-appliance.ts',
  ],
};

/**
 * @param {string} root folder of the project.
 * @param {Build} build
 */
export const buildsFolder = (root, { name }) => join(root, 'node_modules', '.cache', name);

/**
 * A hash of all that something is built from.
 * @param {string} root
 * @param {Build} build
 * @returns {string} 16 hexadecimal digits.
 */
export function sourcesHash(root, { sources }) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(root, source))) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The folder of the build that is of the sources at hand; null where there is none.
 * @param {string} root
 * @param {Build} build
 */
export function currentBuild(root, build) {
  const builds = buildsFolder(root, build);
  const pointer = join(builds, 'current');
  const last = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null;
  if (last === null || last !== sourcesHash(root, build)) return null;
  const folder = join(builds, last);
  return isComplete(folder) ? folder : null;
}

/** In the folder of a build, written last: the size of each of its files, as JSON. */
const SIZES = 'complete';

/**
 * Whether a folder holds a whole build: after a cut of the power files may be there that are empty.
 * @param {string} folder
 */
export function isComplete(folder) {
  try {
    const sizes = JSON.parse(readFileSync(join(folder, SIZES), 'utf8'));
    return Object.entries(sizes).every(
      ([file, size]) => statSync(join(folder, file)).size === size,
    );
  } catch {
    return false;
  }
}

/**
 * Says that all of a build is in its folder.
 * @param {string} folder
 */
export function complete(folder) {
  const sizes = filesBelow(folder).map((file) => [file, statSync(join(folder, file)).size]);
  writeFileSync(join(folder, SIZES), JSON.stringify(Object.fromEntries(sizes)));
}

/** In the folder of a build: files that are named after the processes that run it. */
const USERS = 'users';

/**
 * Keeps a build as long as this process runs: it loads some parts late. Forgets those that ran. Nothing where the folder is not ours to write.
 * @param {string} folder
 */
export function holdBuild(folder) {
  const users = join(folder, USERS);
  try {
    mkdirSync(users, { recursive: true });
    writeFileSync(join(users, `${process.pid}`), '');
    for (const pid of readdirSync(users)) {
      if (!runs(Number(pid))) rmSync(join(users, pid), { force: true });
    }
  } catch {}
}

/**
 * Whether a process runs that holds a build, or another that has its number now.
 * @param {string} folder
 */
export function isHeld(folder) {
  const users = join(folder, USERS);
  return existsSync(users) && readdirSync(users).some((pid) => runs(Number(pid)));
}

/** @param {number} pid */
function runs(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, and is not ours.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * @param {string} root
 * @param {string} source a file, or a folder with all below it.
 * @returns {string[]} paths from the root, in a fixed order.
 */
function filesOf(root, source) {
  if (source.includes('/') || source.includes('.')) return [source];
  return filesBelow(join(root, source))
    .map((file) => join(source, file))
    .sort();
}

/**
 * All files in a folder and in those within it.
 * @param {string} folder
 * @returns {string[]} paths from the folder.
 */
export function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const start = join(folder, '/').length;
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(start));
}

// Where the built interface lies, and whether it is of the sources at hand. Asked before every start,
// on any Node from 20: plain JavaScript, some milliseconds.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePath } from './installation.js';

/** What the interface is made from. */
const SOURCES = ['renderer', 'shared', 'package-lock.json', 'scripts/build-renderer.ts'];

/**
 * The folder that holds builds, each in a folder named after the hash of its sources; the file
 * `current` in it names the one to serve.
 * @param {string} root folder of the project.
 */
export const buildsFolder = (root) => join(root, 'node_modules', '.cache', 'watchpost-renderer');

/**
 * A hash of all that the interface is made from.
 * @param {string} root
 * @returns {string} 16 hexadecimal digits.
 */
export function rendererHash(root) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesOf(root, source))) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The name of the build to serve; null where there is none.
 * @param {string} root
 */
export function currentBuild(root) {
  const pointer = join(buildsFolder(root), 'current');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null;
}

/**
 * Has the pinned Node build the interface, unless the build at hand is up to date.
 * @param {string} root
 * @returns {number} the exit code.
 */
export function buildRenderer(root) {
  if (currentBuild(root) === rendererHash(root)) return 0;
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/build-renderer.ts'];
  const run = spawnSync(nodePath(root), args, {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  return run.status ?? 1;
}

/**
 * @param {string} root
 * @param {string} source a file, or a folder with all below it.
 * @returns {string[]} paths from the root, in a fixed order.
 */
function filesOf(root, source) {
  if (!source.includes('/') && !source.includes('.')) {
    const entries = readdirSync(join(root, source), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
      .sort();
  }
  return [source];
}

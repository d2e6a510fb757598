import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentBuild } from '../main/platform/builds.js';

/**
 * Looks at what is installed in a project.
 * @param {string} root folder of the project.
 * @returns {import('./install-decision.js').InstallFacts}
 */
export function lookAtInstallation(root) {
  const lock = join(root, 'package-lock.json');
  const finished = join(root, 'node_modules', '.package-lock.json');
  const stamp = stampPath(root);
  return {
    hasFolder: existsSync(join(root, 'node_modules')),
    hasNode: pinnedNodeRuns(root),
    lockHash: hashOf(lock),
    stampHash: existsSync(stamp) ? readFileSync(stamp, 'utf8').trim() : null,
    lockTimeMs: statSync(lock).mtimeMs,
    installedTimeMs: existsSync(finished) ? statSync(finished).mtimeMs : null,
  };
}

/**
 * Remembers for which lock file the packages were installed.
 * @param {string} root
 */
export function stampInstallation(root) {
  writeFileSync(stampPath(root), `${hashOf(join(root, 'package-lock.json'))}\n`);
}

/**
 * Gives Windows the `exec` of `npm start`: elsewhere the shell's own makes way for Node, so that a
 * signal to npm reaches the appliance instead of ending at the shell between them.
 * @param {string} root
 */
export function provideExec(root) {
  if (process.platform !== 'win32') return;
  writeFileSync(join(root, 'node_modules', '.bin', 'exec.cmd'), '@%*\r\n');
}

/**
 * Runs `npm ci`; what it prints goes to standard error, which leaves standard output to Watchpost.
 * @param {string} root
 * @returns {number} its exit code.
 */
export function installPackages(root) {
  // Whatever NODE_ENV says: the tests' packages are there too, so one installation serves both.
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev'];
  const { command, before } = npm();
  const run = spawnSync(command, [...before, ...args], {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    shell: process.platform === 'win32' && before.length === 0,
  });
  if (run.error)
    throw new Error(`npm could not be run: ${run.error.message}`, { cause: run.error });
  return run.status ?? 1;
}

/**
 * Has the pinned Node bundle the libraries of scripts, unless the bundles at hand are up to date.
 * @param {string} root
 * @returns {number} the exit code.
 */
export function bundleLibraries(root) {
  // V8 takes a code cache only from a process that began as the script host does: without a snapshot.
  return runScript(root, ['--no-node-snapshot'], 'scripts/bundle-libraries.ts');
}

/**
 * Has the pinned Node build something, unless what is built is of the sources at hand.
 * @param {string} root
 * @param {import('../main/platform/builds.js').Build} build
 * @returns {number} the exit code.
 */
export function ensureBuild(root, build) {
  return currentBuild(root, build) === null ? runScript(root, [], build.script) : 0;
}

/**
 * @param {string} root
 * @param {string[]} flags of Node
 * @param {string} script
 * @returns {number} the exit code.
 */
function runScript(root, flags, script) {
  const args = ['--disable-warning=ExperimentalWarning', ...flags, script];
  const run = spawnSync(nodePath(root), args, {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  return run.status ?? 1;
}

/**
 * The npm that started us, on the Node it runs on: ours may be the one about to be replaced.
 * @returns {{ command: string, before: string[] }}
 */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  return script && node ? { command: node, before: [script] } : { command: 'npm', before: [] };
}

/**
 * Whether the Node of the `node` package is there and is of the version that the project names.
 * Its install script fetches it, and npm may be set to run none.
 * @param {string} root
 */
function pinnedNodeRuns(root) {
  const path = nodePath(root);
  if (!existsSync(path)) return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return stdout?.trim() === `v${dependencies.node}`;
}

/**
 * Path of the pinned Node.
 * @param {string} root
 */
export function nodePath(root) {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(root, 'node_modules', 'node', 'bin', program);
}

/** @param {string} path */
const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.watchpost-lock');

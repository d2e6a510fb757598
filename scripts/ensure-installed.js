// Runs before `npm start`, `npm test` and `npm run bench`: on any Node from 20, with nothing
// installed yet. So it is plain JavaScript and uses no package. It writes to standard error only.
import { fileURLToPath } from 'node:url';
import { APPLIANCE, RENDERER } from '../main/platform/builds.js';
import { reasonToInstall } from './install-decision.js';
import {
  bundleLibraries,
  ensureBuild,
  installPackages,
  lookAtInstallation,
  provideExec,
  stampInstallation,
} from './installation.js';
import { ensureTestTools } from './test-tools.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} line */
const say = (line) => process.stderr.write(`watchpost: ${line}\n`);

/** @returns {number} the exit code. */
function ensureInstalled() {
  const reason = reasonToInstall(lookAtInstallation(root));
  if (reason === null) return 0;
  say(`installing the packages with npm ci: ${reason}`);
  const exitCode = installPackages(root);
  if (exitCode !== 0) {
    say('npm ci failed; what it printed above says why');
    return exitCode;
  }
  if (!lookAtInstallation(root).hasNode) {
    say(
      'the packages are installed, but not the Node that Watchpost runs on: the install script ' +
        'of the "node" package did not run. Allow it, then try again: ' +
        'npm_config_ignore_scripts=false npm ci',
    );
    return 1;
  }
  provideExec(root);
  stampInstallation(root);
  return 0;
}

/** @returns {number} the exit code. */
function ensureBundled() {
  const exitCode = bundleLibraries(root);
  if (exitCode !== 0) say('the libraries of scripts could not be bundled');
  return exitCode;
}

/**
 * @param {import('../main/platform/builds.js').Build} build
 * @param {string} what of a sentence.
 * @returns {number} the exit code.
 */
function ensureBuilt(build, what) {
  const exitCode = ensureBuild(root, build);
  if (exitCode !== 0) say(`${what} could not be built`);
  return exitCode;
}

process.exitCode =
  ensureInstalled() ||
  ensureBundled() ||
  ensureBuilt(APPLIANCE, 'the appliance') ||
  ensureBuilt(RENDERER, 'the interface');
if (process.exitCode === 0 && process.argv.includes('--for-tests')) ensureTestTools(say);

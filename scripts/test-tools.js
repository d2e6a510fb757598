import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of the system that tests use, and what goes without them. */
const TOOLS = [{ program: 'ping', debianPackage: 'iputils-ping', skipped: 'the ICMP tests' }];

const APT_TIMEOUT_MS = 120_000;

/**
 * Installs the tools that are missing, where that is possible; says what will be skipped where it
 * is not. Never fails: tests that need a tool skip themselves.
 * @param {(line: string) => void} say
 */
export function ensureTestTools(say) {
  for (const tool of TOOLS.filter(({ program }) => !isOnPath(program))) {
    if (canUseApt()) {
      say(`installing ${tool.debianPackage}: the tests use ${tool.program}`);
      installDebianPackage(tool.debianPackage);
    }
    if (!isOnPath(tool.program)) say(`${tool.program} is missing: ${tool.skipped} will be skipped`);
  }
}

/** @param {string} program */
function isOnPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

function canUseApt() {
  return process.getuid?.() === 0 && isOnPath('apt-get');
}

/**
 * Installs one package, with a fresh list of packages if the list at hand does not know it.
 * @param {string} name
 */
function installDebianPackage(name) {
  const install = ['install', '-y', '--no-install-recommends', name];
  if (aptGet(install)) return;
  if (aptGet(['update'])) aptGet(install);
}

/**
 * @param {string[]} args
 * @returns {boolean} whether it went well.
 */
function aptGet(args) {
  const run = spawnSync('apt-get', args, {
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: APT_TIMEOUT_MS,
  });
  return run.status === 0;
}

#!/usr/bin/env node
// The `watchpost` command: runs main/start.js on the Node that the `node` package pins, whatever
// Node started this. Plain JavaScript, as that Node may be too old for TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FORWARDED_SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT']);

// A small young generation, in MB: the collector's pauses are a third as long. It is collected by the thread that
// has it: helpers cost more than they bring. As in `npm start`.
const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=4',
  '--no-parallel-scavenge',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const node = pinnedNode();
if (node === null) {
  process.stderr.write(`watchpost: its packages are not installed; run npm ci in ${root}\n`);
  process.exitCode = 1;
} else {
  run(node);
}

/** @returns {string | null} path of the pinned Node. */
function pinnedNode() {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = createRequire(import.meta.url).resolve.paths('node') ?? [];
  const paths = folders.map((folder) => join(folder, 'node', 'bin', program));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** @param {string} program */
function run(program) {
  const cli = join(root, 'main', 'start.js');
  const args = [...NODE_FLAGS, cli, ...process.argv.slice(2)];
  // Before there is a child: one that comes in between would end us and leave it running.
  for (const signal of FORWARDED_SIGNALS) {
    process.on(signal, () => {
      // Ctrl-C on a terminal reaches the child without us.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // What main/start.js would otherwise begin anew for.
  const env = { MALLOC_ARENA_MAX: '2', ...process.env };
  const child = spawn(program, args, { stdio: 'inherit', env });
  child.on('error', (error) => {
    process.stderr.write(`watchpost: ${program} does not run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    for (const forwarded of FORWARDED_SIGNALS) process.removeAllListeners(forwarded);
    process.kill(process.pid, signal);
  });
}

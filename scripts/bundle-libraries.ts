// Bundles the libraries of scripts, each as one text for the script host with V8's code cache of it,
// under node_modules/.cache. Runs on the pinned Node, after the packages are installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import { bundleName, cacheName, SCRIPT_LIBRARIES } from '#shared/run/libraries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'watchpost-libraries');
const stamp = join(folder, 'stamp');

/** Entries that differ from the name of the package. The runtimes have the third line of zod. */
const ENTRIES: Readonly<Record<string, string>> = {
  '@faker-js/faker': '@faker-js/faker/locale/en',
  zod: 'zod/v3',
};

/** A hash of all that the bundles are made from. */
function sourceHash(): string {
  const hash = createHash('sha256');
  for (const file of [
    'package-lock.json',
    'scripts/installation.js',
    'scripts/bundle-libraries.ts',
    'shared/run/libraries.ts',
  ]) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

async function bundle(library: string): Promise<void> {
  const entry = ENTRIES[library] ?? library;
  await build({
    stdin: { contents: `module.exports = require('${entry}')`, resolveDir: root },
    outfile: join(folder, bundleName(library)),
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2024',
    charset: 'utf8',
    legalComments: 'inline',
    banner: { js: '(function (exports, require, module) {' },
    footer: { js: '})' },
    logLevel: 'error',
  });
}

/** Runs a bundle once, so that the cache has all that its loading compiles. It is our own text. */
function keepCompiled(library: string): void {
  const filename = `library-${library}`;
  const script = new Script(readFileSync(join(folder, bundleName(library)), 'utf8'), { filename });
  const load = script.runInContext(createContext({ crypto, TextDecoder, TextEncoder }));
  const module = { exports: {} };
  load(module.exports, undefined, module);
  writeFileSync(join(folder, cacheName(library)), script.createCachedData());
}

const current = sourceHash();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundled = Object.entries(SCRIPT_LIBRARIES).filter(([, { isBundled }]) => isBundled);
  await Promise.all(bundled.map(([library]) => bundle(library)));
  for (const [library] of bundled) keepCompiled(library);
  // Last, so that a run that broke off is done again.
  writeFileSync(stamp, current);
}

// Bundles the libraries of scripts, each as one text for the script host with V8's code cache of it,
// under node_modules/.cache. Runs on the pinned Node, after the packages are installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { RUNTIME_IDS } from '#shared/checks/enums.ts';
import {
  BUNDLED_BUILT_INS,
  bundleName,
  cacheName,
  nodeVersionOf,
  SCRIPT_LIBRARIES,
} from '#shared/sandbox/libraries.ts';
import { realmProgram } from '#workers/sandbox/host/realm.ts';
import { Services } from '#workers/sandbox/host/services.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'watchpost-libraries');
const stamp = join(folder, 'stamp');

/** Modules of the realm that a library gets from `require`, as its script does. */
const REALM_MODULES = [
  'buffer',
  'crypto',
  'node:crypto',
  'path',
  'querystring',
  'string_decoder',
  'url',
  'util',
];

const standIn = (file: string) => join(root, 'workers', 'sandbox', 'host', 'stand-ins', file);
const noMachine = standIn('no-machine.ts');

/** A slash after a built-in module's name asks for the package of that name, which the realm has itself. */
const plainNames: Plugin = {
  name: 'plain names',
  setup({ onResolve }) {
    onResolve({ filter: /^string_decoder\/$/ }, () => ({ path: 'string_decoder', external: true }));
  },
};

/** Libraries that were written for Node alone, or for the whole of `crypto` of a browser. */
const OPTIONS: Readonly<Record<string, BuildOptions>> = {
  aws4: { external: REALM_MODULES },
  dotenv: { external: REALM_MODULES, alias: { fs: noMachine, os: noMachine } },
  ethers: { inject: [standIn('request-parts.ts')] },
  expect: {
    external: REALM_MODULES,
    alias: { 'graceful-fs': noMachine, module: noMachine, process: noMachine },
    define: { 'process.stdout.isTTY': 'false', __dirname: '"/"' },
  },
  'graphql-tag': { alias: { graphql: 'graphql/language/parser' } },
  jose: { external: REALM_MODULES, inject: [standIn('web-crypto.ts')] },
  // Its class for streams, which it offers to nobody, needs no more than events; all of `stream` would
  // cost every script that signs a token a millisecond.
  jsonwebtoken: { external: REALM_MODULES, alias: { stream: 'events' } },
  stream: { external: REALM_MODULES, plugins: [plainNames] },
  string_decoder: { external: ['buffer'] },
};

/** What a realm is told of the script that loads a library here. */
const NO_TASK = { phase: 'setup', request: {}, response: null, env: {}, snippets: {} };

/** A version of a library to bundle. */
interface Target {
  name: string;
  entry: string;
  /** The newest that has it. */
  runtimeId: string;
}

/** A hash of all that the bundles are made from. */
function sourceHash(): string {
  const hash = createHash('sha256');
  for (const file of [
    'package-lock.json',
    'scripts/installation.js',
    'scripts/bundle-libraries.ts',
    'shared/sandbox/libraries.ts',
    'workers/sandbox/host/stand-ins/date-fns-tz-2.ts',
    'workers/sandbox/host/stand-ins/no-machine.ts',
    'workers/sandbox/host/stand-ins/request-parts.ts',
    'workers/sandbox/host/stand-ins/web-crypto.ts',
  ]) {
    hash.update(readFileSync(join(root, file)));
  }
  // The libraries load in it.
  hash.update(realmProgram());
  return hash.digest('hex');
}

/** What is to be bundled, each entry once. */
function targets(): Target[] {
  const libraries = Object.entries(SCRIPT_LIBRARIES).flatMap(([name, versions]) =>
    versions.flatMap(({ entry, to }) => (entry === null ? [] : [{ name, entry, runtimeId: to }])),
  );
  const builtIns = Object.entries(BUNDLED_BUILT_INS);
  return [
    ...libraries,
    ...builtIns.map(([name, entry]) => ({ name, entry, runtimeId: RUNTIME_IDS[0] })),
  ];
}

async function bundle({ name, entry }: Target): Promise<void> {
  await build({
    stdin: { contents: `module.exports = require('${entry}')`, resolveDir: root },
    outfile: join(folder, bundleName(entry)),
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
    ...OPTIONS[name],
  });
}

/** Runs a bundle once, in a realm as scripts have, so that the cache has all its loading compiles. */
async function keepCompiled({ name: library, entry, runtimeId }: Target): Promise<void> {
  const filename = `library-${entry}`;
  const script = new Script(readFileSync(join(folder, bundleName(entry)), 'utf8'), { filename });
  const context = createContext();
  const services = new Services(runtimeId);
  const end = Promise.withResolvers<void>();
  const call = (operation: string, first: string, second: string, third: string): string => {
    if (operation !== 'done') return `+${services.serve(operation, [first, second, third])}`;
    const { error } = JSON.parse(first);
    if (error === null) end.resolve();
    else end.reject(new Error(`${library} does not load: ${error.message}`));
    return '+';
  };
  const boot = new Script(realmProgram()).runInContext(context);
  const limits = { logLines: 0, logChars: 0, exchangedChars: 0, callChars: 1_000_000 };
  const enter = boot(call, () => '', limits);
  enter('library', library, script.runInContext(context));
  enter('start', JSON.stringify({ ...NO_TASK, node: nodeVersionOf(runtimeId) }), async () =>
    context.require(library),
  );
  await end.promise;
  writeFileSync(join(folder, cacheName(entry)), script.createCachedData());
}

const current = sourceHash();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Promise.all(targets().map(bundle));
  for (const target of targets()) await keepCompiled(target);
  // Last, so that a run that broke off is done again.
  writeFileSync(stamp, current);
}

// Bundles the code of the appliance. Runs on the pinned Node, after the packages are installed.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { APPLIANCE, buildsFolder } from '../main/platform/builds.js';
import { keepBuild } from './keep-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The program and the threads that it always has; others begin from the sources. */
const ENTRIES: Readonly<Record<string, string>> = {
  cli: 'main/cli.ts',
  'history-reader': 'main/store/history/reader-thread.ts',
  'history-writer': 'main/store/history/writer-thread.ts',
  'configuration-writer': 'main/store/configuration/writer-thread.ts',
  batch: 'workers/batch.ts',
};

/** Packages that every start loads, with all that they need; others are found in node_modules when they are loaded. */
const PACKAGES = [
  'commander',
  'env-paths',
  'express',
  'express-rate-limit',
  'helmet',
  'ipaddr.js',
  'json-p3',
  'lowdb',
  'prom-client',
  're2js',
  'temporal-polyfill',
  'write-file-atomic',
  'xstate',
  'zod',
];

const packageOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/');
/** The way from one to the other with slashes, as in a URL. */
const way = (from: string, to: string): string => relative(from, to).replaceAll(sep, '/');
const isInstalled = (path: string): boolean => way(root, path).startsWith('node_modules/');

/** Leaves every package where it is but those that are named, and what these import. */
const FEW_PACKAGES: Plugin = {
  name: 'few-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.#/]/ }, ({ path, importer, kind }) => {
      const isOurs = kind !== 'entry-point' && !isInstalled(importer);
      return isOurs && !PACKAGES.includes(packageOf(path)) ? { path, external: true } : undefined;
    });
  },
};

/** A file beside a module, by its URL. */
const URL_BESIDE = /new URL\(\s*'([^']+\.ts)',\s*import\.meta\.url,?\s*\)/g;

/** Lets modules find the files beside them: threads in the bundle, everything else among the sources. */
const urlsOfSources = (from: string): Plugin => ({
  name: 'urls-of-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (isInstalled(path)) return undefined;
      const source = await readFile(path, 'utf8');
      const own = `new URL(${JSON.stringify(way(from, path))}, import.meta.url)`;
      const contents = source
        .replaceAll(URL_BESIDE, (text, beside: string) => {
          const file = way(root, resolve(dirname(path), beside));
          const entry = Object.keys(ENTRIES).find((name) => ENTRIES[name] === file);
          return entry === undefined ? text : `new URL('./${entry}.mjs', BUNDLE_URL)`;
        })
        .replaceAll('import.meta.url', `${own}.href`)
        .replaceAll('BUNDLE_URL', 'import.meta.url');
      return { contents, loader: 'ts' };
    });
  },
});

/** What packages of CommonJS find around them. */
const COMMON_JS = `import { createRequire as createRequireHere } from 'node:module';
const require = createRequireHere(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

await keepBuild(root, APPLIANCE, async (folder) => {
  const placed = join(buildsFolder(root, APPLIANCE), 'any');
  await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: `node${process.versions.node}`,
    banner: { js: COMMON_JS },
    plugins: [FEW_PACKAGES, urlsOfSources(placed)],
    logLevel: 'warning',
  });
});

// Builds the interface, compressed ahead. Runs on the pinned Node, after the packages are installed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { filesBelow, RENDERER } from '../main/platform/builds.js';
import { keepBuild } from './keep-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const COMPRESSED = /\.(?:js|css|svg|html)$/;

/** Where every page begins, and what it loads next. */
const MAIN = 'main.tsx';
const INTERFACE = 'interface.tsx';
/** Home, a check, a result: what people open from far away too. */
const DAILY = ['checks', 'check', 'result'].map((name) => `screens/${name}/${name}-screen.tsx`);
/** Bytes of a module that a daily screen may load though only another one needs it. */
const SMALL = 3_000;

const all = { main: new Set<string>(), interface: new Set<string>(), daily: new Set<string>() };

/** Finds what each page imports, before that is spread over files. */
const FIND_IMPORTS: Plugin = {
  name: 'find-imports',
  buildEnd() {
    const gather = (file: string, found: Set<string>) => {
      const visit = (id: string) => {
        if (found.has(id)) return;
        found.add(id);
        for (const other of this.getModuleInfo(id)?.importedIds ?? []) visit(other);
      };
      visit(join(root, 'renderer', file));
    };
    gather(MAIN, all.main);
    gather(INTERFACE, all.interface);
    for (const screen of DAILY) gather(screen, all.daily);
  },
};

/** Few files in place of many small ones: without TLS a browser asks for six at once, and each is a round trip. */
const CHUNKS = [
  {
    name: 'react',
    test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store)\/|preload-helper/,
    priority: 4,
  },
  // What every page stands on: it changes with versions of packages only.
  {
    name: 'libraries',
    test: (id: string) => all.interface.has(id) && id.includes('/node_modules/'),
    priority: 3,
  },
  // What every page needs of ours.
  {
    name: 'common',
    test: (id: string) => all.interface.has(id) && !all.main.has(id),
    minShareCount: 2,
    priority: 2,
  },
  // What daily screens share with others.
  {
    name: 'daily',
    test: (id: string) => all.daily.has(id) && !all.main.has(id),
    minShareCount: 2,
    maxModuleSize: SMALL,
    priority: 1,
  },
];

/** Styles are small, and with them the page shows its name: scripts must not take the network from them. */
const STYLES_FIRST: Plugin = {
  name: 'styles-first',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replaceAll(
        /<(script type="module"|link rel="modulepreload")/g,
        '<$1 fetchpriority="low"',
      ),
  },
};

async function buildInto(outDir: string): Promise<void> {
  // Whatever it was: tests say 'test', and React would come with what helps its developers.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: false,
    root: join(root, 'renderer'),
    logLevel: 'warn',
    plugins: [FIND_IMPORTS, STYLES_FIRST],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // The content security policy of the page allows no data URL for scripts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: true,
      reportCompressedSize: false,
      rolldownOptions: {
        // Libraries say 'use client' in every file, for servers that draw React.
        checks: { moduleLevelDirective: false },
        output: { codeSplitting: { groups: CHUNKS } },
      },
    },
  });
}

/** Leaves `.br` and `.gz` beside each text, so that no request waits for it. */
function compress(path: string): void {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

await keepBuild(root, RENDERER, async (folder) => {
  await buildInto(folder);
  for (const file of filesBelow(folder)) if (COMPRESSED.test(file)) compress(join(folder, file));
});
